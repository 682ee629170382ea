import type { JsonObject } from "../../app/contract/json.ts";

/** JSON Schema of an object: what model APIs want a tool's arguments to be. */
export type ModelSchema = { readonly type: "object" } & { readonly [key: string]: unknown };

/** Anthropic and OpenAI refuse these at the top of a tool's schema, OpenAI all of them. */
const REFUSED_AT_TOP = ["oneOf", "anyOf", "allOf", "not", "enum", "const"];

/**
 * The schema as model APIs take it: an object at its top, without the keywords they refuse there. What
 * is left out goes into `note`, for the description. Arguments are checked against the whole schema
 * before a call is made, so nothing is allowed by leaving it out.
 */
export function modelSchema(schema: JsonObject): { schema: ModelSchema; note: string | null } {
  const kept = Object.entries(schema).filter(([key]) => !REFUSED_AT_TOP.includes(key));
  const left = Object.entries(schema).filter(([key]) => REFUSED_AT_TOP.includes(key));
  return {
    // A model API that is told of no properties refuses the tool.
    schema: { properties: {}, ...Object.fromEntries(kept), type: "object" },
    note:
      left.length === 0
        ? null
        : `The arguments must also satisfy this JSON Schema: ${JSON.stringify(Object.fromEntries(left))}`,
  };
}
