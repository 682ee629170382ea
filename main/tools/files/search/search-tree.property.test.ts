import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { FileHarness } from "../testing/file-harness.ts";

const harness = FileHarness.forEachTest();

interface Folder {
  readonly files: Readonly<Record<string, string>>;
  readonly folders: Readonly<Record<string, Folder>>;
}

const name = fc.constantFrom("a", "b", ".h", "x.ts", "y.ts", "né", "\uff5e", "\u{1f600}");
const { folder } = fc.letrec<{ folder: Folder }>((tie) => ({
  folder: fc.record({
    files: fc.dictionary(name, fc.string({ unit: fc.constantFrom("a", "B", "\n", "\0") }), {
      maxKeys: 3,
    }),
    folders: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constant({}),
      fc.dictionary(
        name.map((each) => `d${each}`),
        tie("folder"),
        { maxKeys: 3 },
      ),
    ),
  }),
}));

function build(path: string, { files, folders }: Folder): void {
  mkdirSync(path);
  for (const [each, content] of Object.entries(files)) writeFileSync(join(path, each), content);
  for (const [each, inner] of Object.entries(folders)) build(join(path, each), inner);
}

/** What a search must find, computed with Node's own recursion and splitting. */
function naive(top: string, text: string | null): string[] {
  const all = readdirSync(top, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) => {
      const below = path.slice(top.length + 1);
      if (text === null) return [below];
      const content = readFileSync(path, "utf8");
      if (content.includes("\0")) return [];
      return content.split("\n").flatMap((line, index) => {
        const at = line.indexOf(text);
        return at === -1 ? [] : [`${below}:${index + 1}:${at + 1}:${line}`];
      });
    })
    .sort();
}

it("finds exactly what a naive walk finds", () => {
  let round = 0;
  const text = fc.constantFrom(null, "a", "aB", "B");
  fc.assert(
    fc.property(folder, text, (tree, wanted) => {
      round += 1;
      const top = harness.inside(`round-${round}`);
      build(top, tree);
      const found = harness.search({
        path: top,
        include_hidden: true,
        ...(wanted === null ? {} : { text: wanted }),
      });
      const told = found.matches.map(({ path, line, column, preview }) =>
        wanted === null ? path : `${path}:${line}:${column}:${preview}`,
      );
      expect(told.sort()).toEqual(naive(top, wanted));
      rmSync(top, { recursive: true });
    }),
    { numRuns: 150 },
  );
});
