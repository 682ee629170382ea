import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** A package of npm's whose code is in the desktop app. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Absolute path of its folder. */
  readonly folder: string;
}

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readPackage = (folder: string): PackageFile =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/**
 * Every package in the app: the dependencies with all of theirs, which lie in it as they are, and
 * those whose code the build put into bundles or beside them. Sorted by name.
 *
 * @param root the project's folder, with `node_modules`
 * @throws Error when one of them is not installed
 */
export function shippedPackages(root: string, dist: string): readonly ShippedPackage[] {
  const folders = new Set<string>();
  for (const name of Object.keys(readPackage(root).dependencies ?? {})) {
    addWithItsOwn(name, root, root, folders);
  }
  for (const folder of bundledFolders(root, dist)) folders.add(folder);
  for (const [name] of Object.values(COPIED)) folders.add(installed(name, root, root));
  return [...folders]
    .map((folder) => {
      const { name, version, license = "" } = readPackage(folder);
      return { name, version, license, folder };
    })
    .sort((a, b) => order(a.name, b.name) || order(a.version, b.version));
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function addWithItsOwn(name: string, from: string, root: string, found: Set<string>): void {
  const folder = installed(name, from, root);
  if (found.has(folder)) return;
  found.add(folder);
  const { dependencies = {} } = readPackage(folder);
  for (const own of Object.keys(dependencies)) addWithItsOwn(own, folder, root, found);
}

/** Where Node finds a package that a file in `from` imports. */
function installed(name: string, from: string, root: string): string {
  for (let at = resolve(from); at.startsWith(resolve(root)); at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  throw new Error(`${name}, which ${from} needs, is not installed`);
}

const FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/.][^/]*(?=\/)/;

/** Source maps name each file that a bundle was made of, from where it was built: node_modules. */
function bundledFolders(root: string, dist: string): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const map of globSync("{main,model-agent,preload,renderer,sample-agent}/**/*.map", {
    cwd: dist,
  })) {
    const builtAt = join(root, "node_modules", ".built", dirname(map));
    const { sources } = JSON.parse(readFileSync(join(dist, map), "utf8"));
    for (const source of sources as readonly string[]) {
      const folder = FOLDER.exec(resolve(builtAt, source).replaceAll("\\", "/"))?.[0];
      if (folder !== undefined && existsSync(join(folder, "package.json"))) folders.add(folder);
    }
  }
  return folders;
}

/**
 * What is taken from packages, compressed, since the app would be too large: name of the output file, relative to
 * `dist/` → package, file.
 */
export const COPIED: Readonly<Record<string, readonly [name: string, file: string]>> = {
  "main/web-tree-sitter.wasm.br": ["web-tree-sitter", "web-tree-sitter.wasm"],
  "main/tree-sitter-bash.wasm.br": ["tree-sitter-bash", "tree-sitter-bash.wasm"],
};
