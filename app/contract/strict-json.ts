import { type CodedError, errorKind } from "./coded-error.ts";
import { deepFreeze, type JsonValue } from "./json.ts";
import { LIMITS } from "./limits.ts";

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
function inspectNumber(text: string, start: number): number {
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
  if (!Number.isFinite(value)) throw strictJsonError("number_overflow");
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return;
  if (isPlain(token) || decimalForm(token) !== decimalForm(String(value))) {
    throw strictJsonError("unsafe_integer");
  }
}

const STRICT_JSON_FAULTS = [
  "not_utf8",
  "syntax",
  "duplicate_key",
  "lone_surrogate",
  "unsafe_integer",
  "number_overflow",
  "too_deep",
  "too_large",
] as const;
export type StrictJsonFault = (typeof STRICT_JSON_FAULTS)[number];

/**
 * Why a text is not strict JSON. Carries no part of the text: it may hold somebody's secrets. `details`: the
 * offset of the token at fault, in UTF-16 units, where a single one is known.
 */
export const strictJsonError = errorKind<StrictJsonFault, number>("StrictJsonError");
export type StrictJsonError = CodedError<StrictJsonFault, number>;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** UTF-8 bytes that one UTF-16 unit can take. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Reads JSON strictly (contract §1): UTF-8, no duplicate keys, no lone surrogates, no integers
 * outside ±(2^53−1), depth ≤ 64. The value comes back deeply frozen.
 *
 * The engine's own parser decides what is JSON; a second pass over the (then valid) text refuses what
 * that parser would read as the same value as a different text.
 *
 * @param maxBytes upper bound on the UTF-8 size of the text
 * @throws StrictJsonError with the fault's code
 */
export function parseStrictJson(data: Uint8Array | string, maxBytes: number): JsonValue {
  const text = typeof data === "string" ? data : decodeUtf8(data, maxBytes);
  if (typeof data === "string" && isLarger(data, maxBytes)) throw strictJsonError("too_large");
  if (!text.isWellFormed()) throw strictJsonError("lone_surrogate");
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    throw strictJsonError("syntax");
  }
  inspect(text);
  return deepFreeze(value);
}

function isLarger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * MAX_BYTES_PER_UNIT > maxBytes && encoder.encode(text).length > maxBytes;
}

function decodeUtf8(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.byteLength > maxBytes) throw strictJsonError("too_large");
  try {
    return utf8.decode(bytes);
  } catch {
    throw strictJsonError("not_utf8");
  }
}

/** The keys met so far in each object that is open; `null` marks an array. */
type Open = (Set<string> | null)[];

/** Walks the tokens of a text that `JSON.parse` accepted. */
function inspect(text: string): void {
  const open: Open = [];
  let at = 0;
  try {
    while (at < text.length) at = inspectToken(text, at, open);
  } catch (error) {
    throw strictJsonError.is(error) ? strictJsonError(error.code, { details: at }) : error;
  }
}

/** Inspects the token at `at`, and says where the next one may begin. */
function inspectToken(text: string, at: number, open: Open): number {
  const mark = text.charCodeAt(at);
  if (mark === 0x22) return inspectString(text, at, open.at(-1) ?? null);
  if (mark === 0x2d || (mark >= 0x30 && mark <= 0x39)) return inspectNumber(text, at);
  if (mark === 0x7b || mark === 0x5b) {
    open.push(mark === 0x7b ? new Set() : null);
    if (open.length > LIMITS.jsonDepth) throw strictJsonError("too_deep");
  } else if (mark === 0x7d || mark === 0x5d) {
    open.pop();
  }
  return at + 1;
}

function inspectString(text: string, start: number, keys: Set<string> | null): number {
  const end = endOfString(text, start);
  const isNamed = keys !== null && isKey(text, end);
  const raw = text.slice(start + 1, end - 1);
  // The text is well-formed, so only such an escape can stand for half a character.
  if (!isNamed && !raw.includes("\\u")) return end;
  const value: string = raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw;
  if (!value.isWellFormed()) throw strictJsonError("lone_surrogate");
  if (isNamed) {
    if (keys.has(value)) throw strictJsonError("duplicate_key");
    keys.add(value);
  }
  return end;
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}

/** Whether a colon follows; JSON's own white space is all below U+0021. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === 0x3a;
}
