import { isJsonObject, type JsonObject, type JsonValue } from "../../app/contract/json.ts";

/** JSON Schema of an object: what model APIs want a tool's arguments to be. */
export type ModelSchema = { readonly type: "object" } & { readonly [key: string]: unknown };

/** Anthropic and OpenAI refuse these at the top of a tool's schema, OpenAI all of them. */
const REFUSED_AT_TOP = ["oneOf", "anyOf", "allOf", "not", "enum", "const"];

/**
 * The schema in a form that model APIs accept: an object at the top level, without the keywords they
 * refuse there. Those go into `note`, for the description. Before a call is made its arguments are
 * checked against the whole schema, so leaving keywords out allows nothing.
 */
export function modelSchema(schema: JsonObject): { schema: ModelSchema; note: string | null } {
  const kept = Object.entries(schema).filter(([key]) => !REFUSED_AT_TOP.includes(key));
  const left = Object.entries(schema).filter(([key]) => REFUSED_AT_TOP.includes(key));
  return {
    // Model APIs refuse a tool without `properties`.
    schema: { ...Object.fromEntries(kept), properties: propertiesIn(schema), type: "object" },
    note:
      left.length === 0
        ? null
        : `The arguments must also satisfy this JSON Schema: ${JSON.stringify(Object.fromEntries(left))}`,
  };
}

/** Those of alternatives too: a model would not learn their names and types otherwise. */
function propertiesIn(schema: JsonObject): JsonObject {
  const forms = new Map<string, Map<string, JsonValue>>();
  const alternatives = [schema.oneOf, schema.anyOf, schema.allOf]
    .flatMap((each) => (Array.isArray(each) ? each : []))
    .filter(isJsonObject);
  for (const [name, form] of alternatives.flatMap((each) => Object.entries(propertiesIn(each)))) {
    const known = forms.get(name) ?? new Map<string, JsonValue>();
    forms.set(name, known.set(JSON.stringify(form), form));
  }
  const found = [...forms].map(([name, known]): [string, JsonValue] => {
    const [first = {}, ...others] = known.values();
    return [name, others.length === 0 ? first : { anyOf: [first, ...others] }];
  });
  const own = schema.properties;
  return { ...Object.fromEntries(found), ...(own !== undefined && isJsonObject(own) ? own : {}) };
}
