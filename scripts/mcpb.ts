import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { strToU8, zipSync } from "fflate";
import { build } from "vite";
import { VERSION } from "../main/client/launch/version.ts";
import { readFlags } from "../runtime/read-flags.ts";
import { bundleManifest, registryEntry, SERVER_FILE } from "./mcpb/manifest.ts";

/**
 * `npm run mcpb`: the MCP bundle that Claude Desktop and others install with a double click. With `--url`,
 * where it will be published, also the `server.json` for an MCP registry. Both go to `release/`, or to the
 * folder that `--out` names.
 */
const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** The same sources make the same bytes. */
const WRITTEN_AT = new Date(Date.UTC(2020, 0, 1, 12));

const { values } = readFlags("Usage: npm run mcpb -- [--out FOLDER] [--url URL]", {
  options: { out: { type: "string", default: "release" }, url: { type: "string" } },
});

/** The server as one file, and the licences of the packages in it. */
async function builtServer(): Promise<Record<string, Uint8Array>> {
  const folder = mkdtempSync(join(tmpdir(), "consentry-mcpb-"));
  try {
    process.env.NODE_ENV = "production";
    await build({
      configFile: false,
      root: ROOT,
      logLevel: "warn",
      publicDir: false,
      ssr: { noExternal: true },
      build: {
        ssr: join(ROOT, "scripts/mcpb/bundled-server.ts"),
        outDir: folder,
        emptyOutDir: true,
        target: "node22",
        license: { fileName: "licences.md" },
        rolldownOptions: {
          output: { format: "es", entryFileNames: "index.js", codeSplitting: false },
        },
      },
    });
    return {
      [SERVER_FILE]: readFileSync(join(folder, "index.js")),
      "server/package.json": strToU8('{ "type": "module" }\n'),
      "LICENCES.md": readFileSync(join(folder, "licences.md")),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const bytes = zipSync(
  {
    "manifest.json": strToU8(json(bundleManifest())),
    LICENSE: readFileSync(join(ROOT, "LICENSE")),
    ...(await builtServer()),
  },
  { mtime: WRITTEN_AT },
);
const folder = resolve(values.out);
mkdirSync(folder, { recursive: true });
const file = join(folder, `consentry-${VERSION}.mcpb`);
writeFileSync(file, bytes);
console.log(file);
if (values.url !== undefined) {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const entry = join(folder, "server.json");
  writeFileSync(entry, json(registryEntry(values.url, sha256)));
  console.log(entry);
}
