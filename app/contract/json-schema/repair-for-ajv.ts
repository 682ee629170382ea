import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json.ts";

/** Always true, but not so plainly that Ajv skips it together with what it should note down. */
const UNSKIPPED: JsonObject = { minItems: 0 };

const isSkipped = (schema: JsonValue | undefined): boolean =>
  schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0);

/**
 * Writes one schema object of the normalised form so that Ajv 8.20 gets it right. Each step keeps
 * the meaning; its subschemas have been repaired before.
 */
export const repairForAjv = (schema: JsonObject): JsonObject =>
  withProtoAsPattern(withCountedContains(withThen(schema)));

/** Ajv passes over an `if` with nothing to follow, and over the properties the `if` evaluated. */
function withThen(schema: JsonObject): JsonObject {
  const next = ownValue(schema, "then");
  if (!Object.hasOwn(schema, "if") || (next !== undefined && !isSkipped(next))) return schema;
  // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
  return { ...schema, then: UNSKIPPED };
}

/** Ajv passes over `contains` that nothing can break, and over the items it evaluated. */
function withCountedContains(schema: JsonObject): JsonObject {
  const contains = ownValue(schema, "contains");
  if (contains === undefined) return schema;
  const { maxContains = Number.MAX_SAFE_INTEGER } = schema;
  return { ...schema, contains: isSkipped(contains) ? UNSKIPPED : contains, maxContains };
}

/** Ajv leaves a property named `__proto__` out of `properties`, but not out of patterns. */
function withProtoAsPattern(schema: JsonObject): JsonObject {
  const properties = membersOf(schema.properties);
  const patterns = membersOf(schema.patternProperties);
  const proto = properties.find(([name]) => name === PROTO);
  if (proto === undefined) return schema;
  let source = `^${PROTO}$`;
  while (patterns.some(([other]) => other === source)) source = `(?:${source})`;
  return {
    ...schema,
    properties: Object.fromEntries(properties.filter(([name]) => name !== PROTO)),
    patternProperties: Object.fromEntries([...patterns, [source, proto[1]]]),
  };
}

const PROTO = "__proto__";

const membersOf = (map: JsonValue | undefined): readonly (readonly [string, JsonValue])[] =>
  isJsonObject(map) ? Object.entries(map) : [];
