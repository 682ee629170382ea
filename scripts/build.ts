import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { buildParts, DIST, OUTPUTS, ROOT } from "./build-parts.ts";
import { sourceDigest } from "./source-digest.ts";

const STAMP = new URL(".stamp", DIST);

const isThere = (output: string): boolean => existsSync(new URL(output, DIST));

async function isUpToDate(digest: string): Promise<boolean> {
  const built = await readFile(STAMP, "utf8").catch(() => "");
  return built === digest && OUTPUTS.every(isThere);
}

async function buildAll(digest: string): Promise<void> {
  const began = performance.now();
  await rm(DIST, { recursive: true, force: true });
  await mkdir(DIST, { recursive: true });
  await buildParts();
  const missing = OUTPUTS.filter((output) => !isThere(output));
  if (missing.length > 0) throw new Error(`The build left out ${missing.join(", ")}`);
  // Last, so that a build cut short is never taken for a whole one.
  await writeFile(STAMP, digest);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.error(`Built ${OUTPUTS.length} entries into dist/ in ${seconds} s.`);
}

const digest = await sourceDigest(ROOT);
if (await isUpToDate(digest)) console.error("dist/ is up to date.");
else await buildAll(digest);
