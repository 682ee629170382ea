import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "electron-builder";
import { readFlags } from "../runtime/read-flags.ts";
import { measureApp } from "./packaging/app-size.ts";
import { checksums } from "./packaging/checksums.ts";
import { feedPublicKey, signLists } from "./packaging/feed-signature.ts";
import { sbom } from "./packaging/sbom.ts";
import { shippedPackages } from "./packaging/shipped-packages.ts";
import { thirdPartyText } from "./packaging/third-party.ts";

/**
 * Builds and packages the desktop app for this system, as `electron-builder.yml` says.
 *
 * `--dir`: the app's folder, and no installers. `--electron-dist`: a folder with an unpacked Electron,
 * else it is downloaded. `--out`: where to, else `release/`.
 *
 * A release that updates itself needs both CONSENTRY_FEED_URL, where it will be published, and
 * CONSENTRY_FEED_KEY, the Ed25519 key that signs its lists of versions.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const USAGE = "Usage: npm run dist -- [--dir] [--out FOLDER] [--electron-dist FOLDER]";
const { values } = readFlags(USAGE, {
  options: {
    dir: { type: "boolean", default: false },
    "electron-dist": { type: "string" },
    out: { type: "string", default: "release" },
  },
});
const out = resolve(values.out);
const electronDist = values["electron-dist"];

const built = spawnSync(process.execPath, [join(ROOT, "scripts/build.ts")], { stdio: "inherit" });
if (built.status !== 0) process.exit(1);
const dist = join(ROOT, "dist");
const packages = shippedPackages(ROOT, dist);
writeFileSync(join(dist, "THIRD-PARTY.txt"), thirdPartyText(packages));

const feed = feedOf(process.env.CONSENTRY_FEED_URL, process.env.CONSENTRY_FEED_KEY);
const feedFile = join(dist, "main/update-feed.json");
if (feed !== null) writeFileSync(feedFile, JSON.stringify(feed.source));

const { version, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const { electron } = devDependencies;
await build({
  projectDir: ROOT,
  dir: values.dir,
  publish: "never",
  config: {
    electronVersion: electron,
    directories: { output: out },
    publish: feed === null ? null : { provider: "generic", url: feed.source.url },
    ...(electronDist === undefined ? {} : { electronDist: resolve(electronDist) }),
    afterExtract: ({ appOutDir }) => dropElectronsOwnApp(appOutDir),
  },
}).finally(() => rmSync(feedFile, { force: true }));
if (feed !== null && !values.dir) signLists(out, feed.key);

function feedOf(url: string | undefined, key: string | undefined) {
  if (url === undefined && key === undefined) return null;
  if (url === undefined || key === undefined || !url.startsWith("https://")) {
    console.error("CONSENTRY_FEED_URL, with https, and CONSENTRY_FEED_KEY go together.");
    process.exit(1);
  }
  return { source: { url, public_key: feedPublicKey(key) }, key };
}

/** What Electron runs when it is given nothing; a folder that somebody unpacked still has it. */
async function dropElectronsOwnApp(folder: string): Promise<void> {
  for (const file of globSync("**/default_app.asar", { cwd: folder })) rmSync(join(folder, file));
}

writeFileSync(join(out, `consentry-${version}.cdx.json`), sbom({ version, electron }, packages));
writeFileSync(join(out, `SHA256SUMS-${process.platform}.txt`), await checksums(out));

for (const { app, bytes, limit } of measureApp(out)) {
  const mebi = (count: number) => (count / 2 ** 20).toFixed(1);
  console.log(`${app}: ${mebi(bytes)} MiB of our own, of at most ${mebi(limit)} MiB.`);
  // Exits here: the packager sets an exit code of its own at the end.
  if (bytes > limit) process.exit(1);
}
