import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../../app/contract/json.ts";

/**
 * One of our own schemas as a single object: MCP wants that, and models' interfaces refuse
 * alternatives at the top. A member that the alternatives describe differently may have either form.
 * For arguments this is wider than the tool's schema, so calls are checked against that one as well
 * (contract §2.4).
 */
export function objectSchema(schema: object): JsonObject {
  const plain = plainSchema(schema);
  const alternatives = listOf(ownValue(plain, "anyOf")).filter(isJsonObject);
  if (alternatives.length === 0) return { ...plain, type: "object" };
  const members = alternatives.map((each) => objectOf(ownValue(each, "properties")));
  const names = [...new Set(members.flatMap((each) => Object.keys(each)))];
  const needed = alternatives.map((each) => listOf(ownValue(each, "required")));
  const description = ownValue(plain, "description");
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(names.map((name) => [name, anyOf(members, name)])),
    required: names.filter((name) => needed.every((each) => each.includes(name))),
    additionalProperties: false,
  };
}

/** A schema as plain JSON: without the symbols and prototypes of the library that made it. */
const plainSchema = (schema: object): JsonObject => objectOf(JSON.parse(JSON.stringify(schema)));

function anyOf(members: readonly JsonObject[], name: string): JsonValue {
  const forms = members.flatMap((each) => ownValue(each, name) ?? []).map(withoutPatterns);
  const different = new Map(forms.map((form) => [JSON.stringify(form), form]));
  const [only, ...more] = different.values();
  return only !== undefined && more.length === 0 ? only : { anyOf: [...different.values()] };
}

/** Names that a pattern selects may be any: models cannot read the long ones, and the tool's own schema does. */
function withoutPatterns(form: JsonValue): JsonValue {
  if (!isJsonObject(form)) return form;
  const { patternProperties, ...rest } = form;
  const [values] = Object.values(objectOf(patternProperties));
  return values === undefined ? form : { ...rest, additionalProperties: values };
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : [];
const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
