import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = new URL("./", import.meta.url);

export type Peers =
  | { readonly kind: "installed"; readonly versions: Readonly<Record<string, string>> }
  | { readonly kind: "missing"; readonly why: string };

/**
 * The pinned packages that Consentry is compared with; installed by `npm ci` if they are missing.
 */
export function installPeers(say: (line: string) => void): Peers {
  const versions = pinned();
  if (areInstalled(versions)) return { kind: "installed", versions };
  say(`Installing the peers of bench/package-lock.json into bench/node_modules: npm ci`);
  // Without their install scripts, which neither needs.
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = spawnSync("npm", args, {
    cwd: fileURLToPath(FOLDER),
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    shell: process.platform === "win32",
  });
  if (npm.error !== undefined) return { kind: "missing", why: npm.error.message };
  if (areInstalled(versions)) return { kind: "installed", versions };
  const [first = `npm ended with ${npm.status}`] = npm.stderr.trim().split("\n");
  return { kind: "missing", why: first };
}

const pinned = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL("package.json", FOLDER), "utf8")).dependencies;

const areInstalled = (versions: Readonly<Record<string, string>>): boolean =>
  Object.entries(versions).every(([name, version]) => installedVersion(name) === version);

function installedVersion(name: string): string | null {
  try {
    const text = readFileSync(new URL(`node_modules/${name}/package.json`, FOLDER), "utf8");
    return JSON.parse(text).version;
  } catch {
    return null;
  }
}
