import { canonicalJson } from "../../digest.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../json.ts";
import { indexSchema, targetOf } from "../schema-index.ts";

type Holds = (schema: JsonValue, value: JsonValue) => boolean;

/**
 * 2020-12 as specified, keyword by keyword, without regard to speed; Ajv is compared with it.
 * @throws RangeError when the schema refers to itself without end
 */
export function plainlyHolds(root: JsonObject, value: JsonValue): boolean {
  const index = indexSchema(root);
  const holds: Holds = (schema, at) => {
    if (!isJsonObject(schema)) return schema === true;
    const reference = ownValue(schema, "$ref");
    if (typeof reference === "string") {
      const target = index.nodes.get(targetOf(index, reference) ?? "none");
      if (!holds(target ?? false, at)) return false;
    }
    return (
      holdsAnywhere(schema, at, holds) &&
      (typeof at !== "number" || holdsForNumber(schema, at)) &&
      (typeof at !== "string" || holdsForText(schema, at)) &&
      (!Array.isArray(at) || holdsForList(schema, at, holds)) &&
      (!isJsonObject(at) || holdsForObject(schema, at, holds))
    );
  };
  return holds(root, value);
}

const listUnder = (schema: JsonObject, keyword: string): readonly JsonValue[] => {
  const list = ownValue(schema, keyword);
  return Array.isArray(list) ? list : [];
};
const mapUnder = (schema: JsonObject, keyword: string): readonly (readonly [string, JsonValue])[] =>
  Object.entries(ownValue(schema, keyword) ?? {});
const isWithin = (schema: JsonObject, size: number, least: string, most: string): boolean =>
  size >= Number(ownValue(schema, least) ?? 0) &&
  size <= Number(ownValue(schema, most) ?? Number.POSITIVE_INFINITY);

const isEqual = (one: JsonValue, other: JsonValue): boolean =>
  canonicalJson(one) === canonicalJson(other);

function isOfType(type: JsonValue, value: JsonValue): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isJsonObject(value);
  return typeof value === type;
}

function holdsAnywhere(schema: JsonObject, value: JsonValue, holds: Holds): boolean {
  const type = ownValue(schema, "type");
  const constant = ownValue(schema, "const");
  const members = ownValue(schema, "enum");
  return (
    (type === undefined || [type].flat().some((name) => isOfType(name, value))) &&
    (constant === undefined || isEqual(constant, value)) &&
    (members === undefined || [members].flat().some((one) => isEqual(one, value))) &&
    holdsByChoice(schema, (member) => holds(member, value))
  );
}

function holdsByChoice(schema: JsonObject, holds: (member: JsonValue) => boolean): boolean {
  const has = (keyword: string): boolean => Object.hasOwn(schema, keyword);
  const at = (keyword: string): JsonValue => ownValue(schema, keyword) ?? true;
  if (!listUnder(schema, "allOf").every(holds)) return false;
  if (has("anyOf") && !listUnder(schema, "anyOf").some(holds)) return false;
  if (has("oneOf") && listUnder(schema, "oneOf").filter(holds).length !== 1) return false;
  if (has("not") && holds(at("not"))) return false;
  if (!has("if") || !(has("then") || has("else"))) return true;
  return holds(at(holds(at("if")) ? "then" : "else"));
}

/** Divides doubles: fit for factors such as 0.5 and whole numbers. */
function holdsForNumber(schema: JsonObject, value: number): boolean {
  const limit = (keyword: string, otherwise: number): number =>
    Number(ownValue(schema, keyword) ?? otherwise);
  return (
    value >= limit("minimum", Number.NEGATIVE_INFINITY) &&
    value > limit("exclusiveMinimum", Number.NEGATIVE_INFINITY) &&
    value <= limit("maximum", Number.POSITIVE_INFINITY) &&
    value < limit("exclusiveMaximum", Number.POSITIVE_INFINITY) &&
    (ownValue(schema, "multipleOf") === undefined ||
      value % Number(ownValue(schema, "multipleOf")) === 0)
  );
}

function holdsForText(schema: JsonObject, text: string): boolean {
  const pattern = ownValue(schema, "pattern");
  if (typeof pattern === "string" && !new RegExp(pattern, "u").test(text)) return false;
  return isWithin(schema, [...text].length, "minLength", "maxLength");
}

function holdsForList(schema: JsonObject, list: readonly JsonValue[], holds: Holds): boolean {
  if (!isWithin(schema, list.length, "minItems", "maxItems")) return false;
  const texts = new Set(list.map((item) => canonicalJson(item)));
  if (ownValue(schema, "uniqueItems") === true && texts.size < list.length) return false;
  const prefix = listUnder(schema, "prefixItems");
  if (!list.every((item, index) => holds(prefix[index] ?? ownValue(schema, "items") ?? true, item)))
    return false;
  const wanted = ownValue(schema, "contains");
  if (wanted === undefined) return true;
  const found = list.filter((item) => holds(wanted, item)).length;
  return isWithin({ minContains: 1, ...schema }, found, "minContains", "maxContains");
}

function holdsForObject(schema: JsonObject, object: JsonObject, holds: Holds): boolean {
  const names = Object.keys(object);
  const has = (name: JsonValue): boolean => Object.hasOwn(object, String(name));
  if (!isWithin(schema, names.length, "minProperties", "maxProperties")) return false;
  if (!listUnder(schema, "required").every(has)) return false;
  for (const [name, needed] of mapUnder(schema, "dependentRequired"))
    if (has(name) && Array.isArray(needed) && !needed.every(has)) return false;
  for (const [name, wanted] of mapUnder(schema, "dependentSchemas"))
    if (has(name) && !holds(wanted, object)) return false;
  if (!names.every((name) => holds(ownValue(schema, "propertyNames") ?? true, name))) return false;
  return names.every((name) => {
    const wanted = [
      ...mapUnder(schema, "properties").filter(([known]) => known === name),
      ...mapUnder(schema, "patternProperties").filter(([source]) =>
        new RegExp(source, "u").test(name),
      ),
    ].map(([, member]) => member);
    const rest = wanted.length === 0 ? [ownValue(schema, "additionalProperties") ?? true] : wanted;
    return rest.every((member) => holds(member, object[name] ?? null));
  });
}
