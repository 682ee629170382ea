import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync } from "vite";

export interface ImportOf {
  /** Path of the importing file from the repository's root, with `/`. */
  readonly from: string;
  /**
   * A path from the repository's root for relative imports, otherwise the name of the package or
   * built-in.
   */
  readonly to: string;
  readonly isRelative: boolean;
  /** True if it imports only types, so that nothing is left of it at run time. */
  readonly isTypeOnly: boolean;
}

/** Every static import, re-export and literal dynamic import in one source file. */
export function readImports(root: string, file: string): readonly ImportOf[] {
  const { module } = parseSync(file, readFileSync(join(root, file), "utf8"));
  const imports = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    isTypeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
  }));
  const exports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null ? [] : [{ specifier: moduleRequest.value, isTypeOnly: isType }],
    ),
  );
  const source = readFileSync(join(root, file), "utf8");
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const literal = /^["'](.+)["']$/.exec(source.slice(moduleRequest.start, moduleRequest.end));
    return literal?.[1] === undefined ? [] : [{ specifier: literal[1], isTypeOnly: false }];
  });
  return [...imports, ...exports, ...dynamic].map(({ specifier, isTypeOnly }) => ({
    from: file,
    isTypeOnly,
    ...targetOf(file, specifier),
  }));
}

function targetOf(file: string, specifier: string): { to: string; isRelative: boolean } {
  if (specifier.startsWith(".")) {
    const path = specifier.replace(/\?.*$/, "");
    return { to: normalize(join(dirname(file), path)).replaceAll("\\", "/"), isRelative: true };
  }
  const [first = "", second] = specifier.split("/");
  const name = specifier.startsWith("@") ? `${first}/${second}` : first;
  return { to: specifier.startsWith("node:") ? specifier : name, isRelative: false };
}
