import type { KeywordDefinition } from "ajv/dist/2020.js";
import type { JsonValue } from "../json.ts";
import { areUnique, isOneOf } from "./json-equality.ts";

/**
 * Redefined keywords of Ajv 8.20. Its own compare pairwise, which is quadratic, with a comparison
 * that calls a value's own `toString`, and divide doubles.
 */
export const EXACT_KEYWORDS: readonly (KeywordDefinition & { readonly keyword: string })[] = [
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
];

/**
 * Whether `value` is a whole multiple of `factor` as decimals: 0.0075 is one of 0.0001, although
 * their doubles divide to 74.99999999999999.
 *
 * @param factor greater than zero
 */
function isDecimalMultiple(value: number, factor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  const left = decimalOf(value);
  const right = decimalOf(factor);
  const shift = left.exponent - right.exponent;
  const scaled = left.digits * 10n ** BigInt(Math.max(shift, 0));
  return scaled % (right.digits * 10n ** BigInt(Math.max(-shift, 0))) === 0n;
}

/** The shortest decimal that names this double, which is what the author wrote. */
function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
