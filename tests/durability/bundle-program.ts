import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Where a program finds the thread that reads the log and makes checkpoints. */
const READER_WORKER = new URL("../../main/storage/activity/reader-worker.ts", import.meta.url).href;

export interface BundledProgram {
  /** The file to run; started with `environment`, it is ready in well under 100 ms. */
  readonly file: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

/**
 * Bundles a program and all its imports into one file, without packages that have compiled parts.
 * Thousands of processes are started from it; reading the sources one by one would take each of
 * them half a second. It also keeps a long run on the sources it began with.
 *
 * @param source relative to this folder
 */
export async function bundleProgram(source: string): Promise<BundledProgram> {
  const folder = mkdtempSync(join(tmpdir(), "consentry-program-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true, external: ["better-sqlite3"] },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: "node24",
      minify: true,
      rolldownOptions: {
        input: fileURLToPath(new URL(source, import.meta.url)),
        output: { format: "es", entryFileNames: "program.mjs" },
      },
    },
  });
  return {
    file: join(folder, "program.mjs"),
    folder,
    environment: { NODE_COMPILE_CACHE: join(folder, "compiled"), READER_WORKER },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
