import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { isDecimalMultiple } from "./decimal-multiple.ts";
import { assertion, type KeywordCheck } from "./evaluation.ts";
import { areUnique, isOneOf } from "./json-equality.ts";
import type { TypeName } from "./keyword-shapes.ts";

type Holds = (value: JsonValue) => boolean;

const onNumber =
  (holds: (value: number) => boolean): Holds =>
  (value) =>
    typeof value !== "number" || holds(value);
const onText =
  (holds: (value: string) => boolean): Holds =>
  (value) =>
    typeof value !== "string" || holds(value);
const onList =
  (holds: (value: readonly JsonValue[]) => boolean): Holds =>
  (value) =>
    !Array.isArray(value) || holds(value);
const onObject =
  (holds: (value: JsonObject) => boolean): Holds =>
  (value) =>
    !isJsonObject(value) || holds(value);

const TYPE_TESTS: Readonly<Record<TypeName, Holds>> = {
  array: (value) => Array.isArray(value),
  boolean: (value) => typeof value === "boolean",
  integer: (value) => Number.isInteger(value),
  null: (value) => value === null,
  number: (value) => typeof value === "number",
  object: isJsonObject,
  string: (value) => typeof value === "string",
};

function isOfType(types: TypeName | readonly TypeName[]): Holds {
  if (typeof types === "string") return TYPE_TESTS[types];
  const tests = types.map((name) => TYPE_TESTS[name]);
  return (value) => tests.some((test) => test(value));
}

/** Code points: a pair of surrogates is one character (validation §6.3.1). */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A text has between half its UTF-16 length and its UTF-16 length of code points. */
const isAtLeast = (text: string, least: number): boolean =>
  text.length >= least && (text.length >= least * 2 || codePoints(text) >= least);
const isAtMost = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= most * 2 && codePoints(text) <= most);

const sizeOf = (object: JsonObject): number => Object.keys(object).length;

const hasAll = (object: JsonObject, names: readonly string[]): boolean =>
  names.every((name) => Object.hasOwn(object, name));

function dependentRequired(dependencies: Readonly<Record<string, readonly string[]>>): Holds {
  const entries = Object.entries(dependencies);
  return onObject((object) =>
    entries.every(([name, names]) => !Object.hasOwn(object, name) || hasAll(object, names)),
  );
}

// The values' shapes were checked against the meta-schema when the schema was read
// (keyword-shapes.ts); each cast below restates the shape of its own keyword.
const BUILDERS: ReadonlyMap<string, (wanted: JsonValue) => Holds> = new Map<
  string,
  (wanted: JsonValue) => Holds
>([
  ["type", (wanted) => isOfType(wanted as TypeName | readonly TypeName[])],
  ["const", (wanted) => isOneOf([wanted])],
  ["enum", (wanted) => isOneOf(wanted as readonly JsonValue[])],
  ["multipleOf", (factor) => onNumber((value) => isDecimalMultiple(value, Number(factor)))],
  ["maximum", (most) => onNumber((value) => value <= Number(most))],
  ["exclusiveMaximum", (limit) => onNumber((value) => value < Number(limit))],
  ["minimum", (least) => onNumber((value) => value >= Number(least))],
  ["exclusiveMinimum", (limit) => onNumber((value) => value > Number(limit))],
  ["maxLength", (most) => onText((text) => isAtMost(text, Number(most)))],
  ["minLength", (least) => onText((text) => isAtLeast(text, Number(least)))],
  [
    "pattern",
    (source) => {
      const pattern = new RegExp(String(source), "u");
      return onText((text) => pattern.test(text));
    },
  ],
  ["maxItems", (most) => onList((list) => list.length <= Number(most))],
  ["minItems", (least) => onList((list) => list.length >= Number(least))],
  ["uniqueItems", (wanted) => onList((list) => wanted === false || areUnique(list))],
  ["maxProperties", (most) => onObject((object) => sizeOf(object) <= Number(most))],
  ["minProperties", (least) => onObject((object) => sizeOf(object) >= Number(least))],
  ["required", (names) => onObject((object) => hasAll(object, names as readonly string[]))],
  [
    "dependentRequired",
    (names) => dependentRequired(names as Readonly<Record<string, readonly string[]>>),
  ],
]);

/** The check of a keyword of the validation vocabulary; `undefined` for every other keyword. */
export function assertionKeyword(keyword: string, wanted: JsonValue): KeywordCheck | undefined {
  const build = BUILDERS.get(keyword);
  return build === undefined ? undefined : assertion(keyword, build(wanted));
}
