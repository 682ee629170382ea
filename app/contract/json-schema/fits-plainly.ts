import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json.ts";

/** Alternatives that are compared one by one. */
const ALTERNATIVES_MAX = 64;

type Check = (said: JsonValue, value: JsonValue, schema: JsonObject) => boolean;

const says: Check = () => true;
const ifNumber =
  (holds: (said: number, value: number) => boolean): Check =>
  (said, value) =>
    typeof value !== "number" || (typeof said === "number" && holds(said, value));

/** Keywords whose meaning needs no more than the value and their own schema. */
const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["$schema", says],
  ["$comment", says],
  ["title", says],
  ["description", says],
  ["default", says],
  ["examples", says],
  ["format", says],
  [
    "type",
    (said, value) => (Array.isArray(said) ? said : [said]).some((name) => isOf(name, value)),
  ],
  ["enum", (said, value) => isListed(said, value)],
  ["minimum", ifNumber((said, value) => value >= said)],
  ["maximum", ifNumber((said, value) => value <= said)],
  [
    "items",
    (said, value) => !Array.isArray(value) || value.every((each) => fitsPlainly(said, each)),
  ],
  [
    "required",
    (said, value) =>
      !isJsonObject(value) ||
      (Array.isArray(said) && said.every((name) => Object.hasOwn(value, String(name)))),
  ],
  [
    "properties",
    (said, value) =>
      !isJsonObject(value) ||
      (isJsonObject(said) &&
        Object.entries(value).every(([name, member]) => {
          const schema = ownValue(said, name);
          return schema === undefined || fitsPlainly(schema, member);
        })),
  ],
  [
    "additionalProperties",
    (said, value, schema) => {
      if (!isJsonObject(value) || said === true) return true;
      const named = ownValue(schema, "properties") ?? {};
      const isNamed = (name: string) => isJsonObject(named) && Object.hasOwn(named, name);
      return said === false && Object.keys(value).every(isNamed);
    },
  ],
]);

/**
 * True: the value satisfies this schema, which is inside the profile. False says nothing: the schema
 * has a keyword that is not decided here, or the value breaks it. Generates no code, runs no pattern
 * and ends within the size of value and schema, so that it needs no thread that can be killed.
 */
export function fitsPlainly(schema: JsonValue, value: JsonValue): boolean {
  if (!isJsonObject(schema)) return schema === true;
  return Object.entries(schema).every(
    ([keyword, said]) => CHECKS.get(keyword)?.(said, value, schema) ?? false,
  );
}

const isListed = (said: JsonValue, value: JsonValue): boolean =>
  Array.isArray(said) && said.length <= ALTERNATIVES_MAX && isScalar(value) && said.includes(value);

/** Others are equal by their content, which takes longer to compare. */
const isScalar = (value: JsonValue): boolean => value === null || typeof value !== "object";

function isOf(name: JsonValue, value: JsonValue): boolean {
  switch (name) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return isScalar(value) && typeof value === name;
  }
}
