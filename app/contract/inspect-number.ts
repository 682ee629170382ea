import { StrictJsonError } from "./strict-json-fault.ts";

/** A literal this short without an exponent is below 10^15 and always exact enough. */
const HARMLESS_CHARS = 15;
const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The value's significant digits and power of ten: equal for equal decimals, however written. */
export function decimalForm(token: string): string {
  const [, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(token) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${significant}e${power}`;
}

const isPlain = (token: string): boolean => !/[eE]/.test(token);

/**
 * Refuses a number that is not the double it would become. `1e30` is a double by intent; the
 * literals `9007199254740993` and `9007199254740993e0` would both turn into another integer.
 */
export function inspectNumber(text: string, start: number): number {
  let end = start + 1;
  let hasExponent = false;
  for (; end < text.length; end += 1) {
    const mark = text.charCodeAt(end);
    if (mark === 0x65 || mark === 0x45) hasExponent = true;
    else if ((mark < 0x30 || mark > 0x39) && mark !== 0x2e && mark !== 0x2b && mark !== 0x2d) break;
  }
  if (hasExponent || end - start > HARMLESS_CHARS) judge(text.slice(start, end));
  return end;
}

function judge(token: string): void {
  const value = Number(token);
  if (!Number.isFinite(value)) throw new StrictJsonError("number_overflow");
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return;
  if (isPlain(token) || decimalForm(token) !== decimalForm(String(value))) {
    throw new StrictJsonError("unsafe_integer");
  }
}
