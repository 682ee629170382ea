import { _, type KeywordCxt, type KeywordDefinition, Name } from "ajv/dist/2020.js";
import type { JsonValue } from "../json.ts";
import { isDecimalMultiple } from "./decimal-multiple.ts";
import { areUnique, isOneOf } from "./json-equality.ts";

/**
 * Keywords that Ajv 8.20 is taught anew. Its own compare pairwise, which is quadratic, by a
 * comparison that calls what a value holds under `toString`; divide doubles; and take
 * "all items were evaluated" for the number 1.
 */
export const TAUGHT_KEYWORDS: readonly (KeywordDefinition & { readonly keyword: string })[] = [
  { keyword: "const", errors: false, compile: (wanted: JsonValue) => isOneOf([wanted]) },
  {
    keyword: "enum",
    schemaType: "array",
    errors: false,
    compile: (members: readonly JsonValue[]) => isOneOf(members),
  },
  {
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: false,
    compile: (wanted: boolean) => (list: readonly JsonValue[]) => !wanted || areUnique(list),
  },
  {
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    errors: false,
    compile: (factor: number) => (value: number) => isDecimalMultiple(value, factor),
  },
  { keyword: "noteEvaluated", schemaType: "boolean", before: "not", code: noteEvaluated },
  {
    keyword: "unevaluatedItems",
    type: "array",
    schemaType: ["boolean", "object"],
    code: unevaluatedItems,
  },
];

/** Code keyword: every item from the first unevaluated one on must satisfy the subschema. */
function unevaluatedItems(context: KeywordCxt): void {
  const { gen, data, it } = context;
  const evaluated = it.items ?? 0;
  if (evaluated === true) return;
  const length = gen.const("len", _`${data}.length`);
  const from =
    evaluated instanceof Name
      ? gen.const("from", _`${evaluated} === true ? ${length} : ${evaluated} || 0`)
      : evaluated;
  // `var`, as a boolean subschema declares the name again.
  const valid = gen.var("valid", true);
  gen.forRange("i", from, length, (index) => {
    // `Type.Num` of Ajv's code generator, which it does not export.
    context.subschema({ keyword: "unevaluatedItems", dataProp: index, dataPropType: 0 }, valid);
    gen.if(_`!${valid}`, () => gen.break());
  });
  context.ok(valid);
  it.items = true;
}

/**
 * Not a keyword of the dialect: `normaliseForAjv` puts it where branches may note down what they
 * evaluated. From here on Ajv notes it in variables that exist in every branch; its own come into
 * being inside the first branch taken, and what was noted before is lost in the others.
 */
function noteEvaluated({ gen, it }: KeywordCxt): void {
  if (it.props !== true && !(it.props instanceof Name)) {
    const noted = Object.keys(it.props ?? {});
    // Without a prototype: `toString` is not evaluated because every object has one.
    it.props = gen.var("props", _`Object.create(null)`);
    for (const name of noted) gen.assign(_`${it.props}[${name}]`, true);
  }
  if (it.items !== true && !(it.items instanceof Name)) {
    it.items = gen.var("items", it.items ?? 0);
  }
}
