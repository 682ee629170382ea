import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { linksIn, readDocument } from "./read-markdown.ts";

/**
 * Creates the package that agent developers install: the bundle, its types, the SDK's own package.json
 * and README, and the pages that it links to. The tarball goes to the given folder, or the current one.
 */
const ROOT = fileURLToPath(new URL("../", import.meta.url));
const destination = resolve(process.argv[2] ?? ".");

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}`);
}

/** The compiler's declarations import `./x.ts`; next to them is `./x.d.ts`. */
const declarations: Plugin = {
  name: "declarations",
  resolveId(id, importer) {
    if (importer === undefined || !/^\..*(?<!\.d)\.ts$/.test(id)) return null;
    return resolve(dirname(importer), id.replace(/\.ts$/, ".d.ts"));
  },
};

/** One file of types for each entry, with nothing in it that they do not use. */
async function packTypes(outDir: string): Promise<void> {
  const all = mkdtempSync(join(tmpdir(), "consentry-types-"));
  try {
    for (const room of ["sdk", "app", "runtime"])
      cpSync(join(ROOT, ".types", room, room), join(all, room), { recursive: true });
    const types = await rolldown({
      input: { index: join(all, "sdk/index.d.ts"), models: join(all, "sdk/models/index.d.ts") },
      external: /^(?![./])/,
      plugins: [
        declarations,
        dts({ dtsInput: true, emitDtsOnly: true, generator: "oxc", tsconfig: false }),
      ],
    });
    await types.write({ dir: outDir, chunkFileNames: "shared.d.ts" });
  } finally {
    rmSync(all, { recursive: true });
  }
}

const README = "sdk/README.md";

/** What a page's link leads to, from the repository's root. */
const targetOf = (from: string, link: string): string =>
  posix.join(posix.dirname(from), link.replace(/#.*/, "") || posix.basename(from));

/** The README, and the pages and examples that it links to. Links between them are kept, of others only their words. */
function packPages(outDir: string): void {
  const linked = linksIn(readDocument(ROOT, README)).map((link) => targetOf(README, link));
  const pages = new Set([README, ...linked.filter((path) => path.endsWith(".md"))]);
  const examples = new Set(linked.filter((path) => path.startsWith("sdk/examples/")));
  const placeOf = (page: string): string => page.replace(/^sdk\//, "");
  cpSync(join(ROOT, "sdk/examples"), join(outDir, "examples"), {
    recursive: true,
    filter: (path) => !path.endsWith("tsconfig.json"),
  });
  for (const page of pages) {
    const text = readDocument(ROOT, page).text.replace(
      /\[([^\][]+)\]\(([^)\s]+)\)/g,
      (whole, words: string, link: string) => {
        if (/^https?:/.test(link)) return whole;
        const target = targetOf(page, link);
        if (!pages.has(target) && !examples.has(target)) return words;
        const path = posix.relative(posix.dirname(placeOf(page)), placeOf(target));
        return `[${words}](${path}${/#.*/.exec(link)?.[0] ?? ""})`;
      },
    );
    const file = join(outDir, placeOf(page));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

run(process.execPath, ["scripts/build.ts"], ROOT);
run("tsc", ["-b", "sdk"], ROOT);
const folder = mkdtempSync(join(tmpdir(), "consentry-sdk-"));
try {
  cpSync(join(ROOT, "dist/sdk"), folder, { recursive: true });
  await packTypes(join(folder, "types"));
  packPages(folder);
  cpSync(join(ROOT, "sdk/package.json"), join(folder, "package.json"));
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  run("npm", ["pack", "--silent", "--pack-destination", destination], folder);
} finally {
  rmSync(folder, { recursive: true });
}
