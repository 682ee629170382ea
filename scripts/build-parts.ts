import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build, type InlineConfig } from "vite";
import { COPIED } from "./packaging/shipped-packages.ts";

export const ROOT = new URL("../", import.meta.url);

const pathOf = (place: string): string => fileURLToPath(new URL(place, ROOT));

/** One bundle, or several entries that may share chunks. */
interface NodePart {
  /** Name of the output file, relative to `dist/`, without extension → source file. */
  readonly entries: Readonly<Record<string, string>>;
  readonly format: "es" | "cjs";
  /** Packages that are loaded at run time instead of bundled; "all" for every one but `BUNDLED`. */
  readonly external: "all" | readonly string[];
  /** Bundled with packages of which little is used: as it is, the desktop app would be too large. */
  readonly minified?: boolean;
}

/** Of these, little is used: whole, they would be more than a fifth of the desktop app. */
const BUNDLED = [
  "@decimalturn/toml-patch",
  "@hono/node-server",
  "@modelcontextprotocol/core",
  "@modelcontextprotocol/node",
  "@modelcontextprotocol/server",
  "@noble/hashes",
  "ajv",
  "argparse",
  "builder-util-runtime",
  "debug",
  "diff",
  "electron-updater",
  "fs-extra",
  "graceful-fs",
  "hono",
  "jose",
  "js-yaml",
  "jsonc-parser",
  "jsonfile",
  "lazy-val",
  "lodash.escaperegexp",
  "lodash.isequal",
  "ms",
  "sax",
  "semver",
  "tiny-typed-emitter",
  "typebox",
  "undici",
  "universalify",
  "web-tree-sitter",
  "yaml",
  "zod",
];

const NODE_PARTS: readonly NodePart[] = [
  {
    entries: {
      "main/browser-main": "main/browser/browser-main.ts",
      "main/run-browser": "main/browser/run-browser.ts",
      "main/desktop-main": "main/desktop/desktop-main.ts",
      "main/run-desktop": "main/desktop/run-desktop.ts",
      "main/run-mcp": "main/channels/mcp/run-mcp.ts",
      "main/schema-worker": "main/schemas/schema-worker.ts",
      "main/file-worker": "main/tools/files/file-worker.ts",
      "main/reader-worker": "main/storage/activity/reader-worker.ts",
      "main/password-worker": "main/keys/password-worker.ts",
      "main/line-worker": "main/channels/hooks/line-worker.ts",
      "main/lock-worker": "main/dbus/lock-worker.ts",
      "main/location-worker": "main/tools/platform/location/location-worker.ts",
    },
    format: "es",
    external: "all",
    minified: true,
  },
  // By itself, with all that it needs, because an agent waits for it at each use of a tool; and CommonJS, because an import of
  // a part of Node loads all that the part could need.
  {
    entries: { "main/run-hook": "main/channels/hooks/run-hook.ts" },
    format: "cjs",
    external: [],
    minified: true,
  },
  // Together, so that both entries share their error classes.
  {
    entries: { "sdk/index": "sdk/index.ts", "sdk/models": "sdk/models/index.ts" },
    format: "es",
    external: ["ws"],
  },
  // The SDK's command, with all that it needs: its package has no dependencies.
  {
    entries: { "sdk/consentry": "scripts/consentry.ts" },
    format: "es",
    external: [],
    minified: true,
  },
  // Together, because most of both is the SDK.
  {
    entries: {
      "sample-agent/main": "sdk/sample-agent/main.ts",
      "model-agent/main": "agent-host/model-agent/main.ts",
    },
    format: "es",
    external: ["ws"],
    minified: true,
  },
  // A sandboxed preload is a single CommonJS file that may only require electron.
  { entries: { "preload/main": "preload/main-preload.ts" }, format: "cjs", external: ["electron"] },
  {
    entries: { "preload/consent": "preload/consent-preload.ts" },
    format: "cjs",
    external: ["electron"],
  },
];

const extensionOf = (part: NodePart): string => (part.format === "cjs" ? ".cjs" : ".js");

/** Files that must exist in `dist/` after a build. */
export const OUTPUTS: readonly string[] = [
  "renderer/index.html",
  "renderer/consent.html",
  ...Object.keys(COPIED),
  ...NODE_PARTS.flatMap((part) =>
    Object.keys(part.entries).map((name) => `${name}${extensionOf(part)}`),
  ),
];

/**
 * Builds everything into `folder`.
 * @throws the bundler's error for a source that is missing or cannot be built
 */
export async function buildParts(folder: string): Promise<void> {
  // Started first: it also sets the kind of build.
  const nodeParts = buildNodeParts(folder);
  await Promise.all([nodeParts, buildRenderer(folder)]);
  for (const [output, [name, file]] of Object.entries(COPIED)) {
    const bytes = await readFile(pathOf(`node_modules/${name}/${file}`));
    await writeFile(join(folder, output), brotliCompressSync(bytes));
  }
}

async function buildNodeParts(folder: string): Promise<void> {
  // The environment that starts the build (a test runner, for example) must not make it a
  // development build.
  process.env.NODE_ENV = "production";
  await Promise.all(NODE_PARTS.map((part) => buildNodePart(part, folder)));
}

async function buildRenderer(folder: string): Promise<void> {
  await build({
    configFile: pathOf("renderer/vite.config.ts"),
    root: pathOf("renderer"),
    logLevel: "warn",
    build: { outDir: join(folder, "renderer"), emptyOutDir: false, sourcemap: true },
  });
}

async function buildNodePart(part: NodePart, folder: string): Promise<void> {
  const config: InlineConfig = {
    configFile: false,
    root: fileURLToPath(ROOT),
    logLevel: "warn",
    publicDir: false,
    ssr:
      part.external === "all"
        ? { noExternal: BUNDLED }
        : { noExternal: true, external: [...part.external] },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      sourcemap: true,
      minify: part.minified === true,
      target: "node24",
      rolldownOptions: {
        input: entriesOf(part),
        // tree-sitter's runtime has one for parsers that bring JavaScript along; ours does not.
        onLog: (level, log, report) => {
          if (log.code !== "EVAL" || !log.id?.includes("/web-tree-sitter/")) report(level, log);
        },
        output: {
          format: part.format,
          entryFileNames: `[name]${extensionOf(part)}`,
          // Next to the entries: code in a chunk locates the workers relative to itself.
          chunkFileNames: `${folderOf(part)}/[name]-[hash]${extensionOf(part)}`,
        },
      },
    },
  };
  await build(config);
}

function entriesOf(part: NodePart): Record<string, string> {
  return Object.fromEntries(
    Object.entries(part.entries).map(([name, source]) => [name, pathOf(source)]),
  );
}

function folderOf(part: NodePart): string {
  const [first = ""] = Object.keys(part.entries);
  return first.slice(0, first.indexOf("/"));
}
