import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildParts, OUTPUTS, ROOT } from "./build-parts.ts";
import { sourceDigest } from "./source-digest.ts";

const DIST = fileURLToPath(new URL("dist", ROOT));
const NEXT = fileURLToPath(new URL(`node_modules/.consentry-build-${process.pid}`, ROOT));
const STAMP = ".stamp";

const missingFrom = (folder: string): readonly string[] =>
  OUTPUTS.filter((output) => !existsSync(join(folder, output)));

async function isUpToDate(digest: string): Promise<boolean> {
  const built = await readFile(join(DIST, STAMP), "utf8").catch(() => "");
  return built === digest && missingFrom(DIST).length === 0;
}

/**
 * Built in another folder and then moved, so that nobody ever runs an incomplete or mixed build.
 */
async function buildAll(digest: string): Promise<void> {
  const began = performance.now();
  console.error("Building Consentry: about 10 s, and only when its sources have changed.");
  await mkdir(NEXT, { recursive: true });
  try {
    await buildParts(NEXT);
    const missing = missingFrom(NEXT);
    if (missing.length > 0) throw new Error(`The build left out ${missing.join(", ")}`);
    await writeFile(join(NEXT, STAMP), digest);
    await rm(DIST, { recursive: true, force: true });
    await rename(NEXT, DIST);
  } finally {
    await rm(NEXT, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.error(`Built ${OUTPUTS.length} entries into dist/ in ${seconds} s.`);
}

const digest = await sourceDigest(ROOT);
if (!(await isUpToDate(digest))) await buildAll(digest);
else if (!process.argv.includes("--quiet")) console.error("dist/ is up to date.");
