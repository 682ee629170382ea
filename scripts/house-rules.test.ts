import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { AT_MOST, PRIVATE_NOUNS } from "./house-rules.ts";
import { readImports } from "./read-imports.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const ROOMS = "{agent-host,app,hub,i18n,main,preload,renderer,runtime,scripts,sdk}";
const LONGEST_LINES = 300;
/** A file and its only importer are joined if the result has no more. */
const JOINED_LINES = 260;

const all = globSync(`${ROOMS}/**/*.{ts,tsx}`, { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !file.endsWith(".d.ts"));
const sources = all.filter((file) => !/\.test\.tsx?$|\/(?:testing|examples)\//.test(file));
const textOf = new Map(sources.map((file) => [file, readFileSync(join(root, file), "utf8")]));
const linesOf = (file: string): number => (textOf.get(file)?.split("\n").length ?? 1) - 1;

/** What these names are of in all sources: `name in file`. */
const declared = (kinds: string, fits: (name: string, rest: string) => boolean): string[] =>
  sources.flatMap((file) =>
    [...(textOf.get(file) ?? "").matchAll(new RegExp(`\\b(?:${kinds}) (\\w+)([^{;]*)`, "g"))]
      .filter(([, name = "", rest = ""]) => fits(name, rest))
      .map(([, name]) => `${name} in ${file}`),
  );

/** Fails with all of them if there are more than there were. */
function expectAtMost(count: number, found: readonly string[]): void {
  expect(found.length > count ? found : []).toEqual([]);
}

it("errors have codes, not classes", () => {
  expectAtMost(
    AT_MOST.errorClasses,
    declared("class", (_, rest) => /extends (?:\w*Error|CodedError)\b/.test(rest)),
  );
});

it("types and functions have the field's nouns", () => {
  const words = (name: string): readonly string[] =>
    `${name[0]?.toUpperCase()}${name.slice(1)}`.match(/[A-Z][a-z]+/g) ?? [];
  expectAtMost(
    AT_MOST.privateNouns,
    declared("class|interface|type|function", (name) =>
      PRIVATE_NOUNS.some((noun) => words(name).includes(noun)),
    ),
  );
});

it(`no file has over ${LONGEST_LINES} lines`, () => {
  expectAtMost(
    AT_MOST.longFiles,
    sources.filter((file) => linesOf(file) > LONGEST_LINES),
  );
});

it("a file has two importers, a test of its own, or a reason", () => {
  const importers = new Map<string, Set<string>>();
  for (const file of sources) {
    for (const { to } of readImports(root, file)) {
      importers.set(to, (importers.get(to) ?? new Set()).add(file));
    }
  }
  /** It is started by itself, a table of data, a released migration, or one domain's routes. */
  const hasReason = (file: string): boolean =>
    /worker|thread|-main\.ts$|-table\.ts$|\/migrations\/\d|-routes\.ts$/.test(file);
  const hasTest = (file: string): boolean => {
    const test = file.replace(/\.tsx?$/, ".test.ts");
    return all.includes(test) || all.includes(`${test}x`);
  };
  const singleUse = sources.filter((file) => {
    const [only, ...more] = importers.get(file) ?? [];
    if (only === undefined || more.length > 0 || dirname(only) !== dirname(file)) return false;
    return !hasTest(file) && !hasReason(file) && linesOf(file) + linesOf(only) <= JOINED_LINES;
  });
  expectAtMost(AT_MOST.singleUseFiles, singleUse);
});
