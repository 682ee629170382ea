import { deepFreeze, type JsonValue } from "./json.ts";
import { LIMITS } from "./limits.ts";

export const STRICT_JSON_FAULTS = [
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

/** Why a text is not strict JSON. Carries no part of the text: it may hold somebody's secrets. */
export class StrictJsonError extends Error {
  override readonly name = "StrictJsonError";
  readonly code: StrictJsonFault;
  constructor(code: StrictJsonFault) {
    super(code);
    this.code = code;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** An integer literal, or one with a fraction but no exponent: `1e30` is a double by intent. */
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const NUMBER_TOKEN = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Reads JSON strictly (contract §1): UTF-8, no duplicate keys, no lone surrogates, no integers
 * outside ±(2^53−1), depth ≤ 64. The value comes back deeply frozen.
 *
 * The engine's own parser decides what is JSON; a second pass over the (then known valid) text
 * refuses what that parser would let two different texts collapse into.
 *
 * @param maxBytes upper bound on the UTF-8 size of the text
 * @throws StrictJsonError with the fault's code
 */
export function parseStrictJson(data: Uint8Array | string, maxBytes: number): JsonValue {
  const text = typeof data === "string" ? data : decodeUtf8(data, maxBytes);
  if (typeof data === "string" && text.length > maxBytes) throw new StrictJsonError("too_large");
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StrictJsonError("syntax");
  }
  inspect(text);
  return deepFreeze(value);
}

function decodeUtf8(bytes: Uint8Array, maxBytes: number): string {
  if (bytes.byteLength > maxBytes) throw new StrictJsonError("too_large");
  try {
    return utf8.decode(bytes);
  } catch {
    throw new StrictJsonError("not_utf8");
  }
}

/** Walks the tokens of a text that `JSON.parse` accepted. `null` in the stack marks an array. */
function inspect(text: string): void {
  const open: (Set<string> | null)[] = [];
  let at = 0;
  while (at < text.length) {
    const mark = text.charCodeAt(at);
    if (mark === 0x7b || mark === 0x5b) {
      open.push(mark === 0x7b ? new Set() : null);
      if (open.length > LIMITS.jsonDepth) throw new StrictJsonError("too_deep");
      at += 1;
    } else if (mark === 0x7d || mark === 0x5d) {
      open.pop();
      at += 1;
    } else if (mark === 0x22) {
      at = inspectString(text, at, open.at(-1) ?? null);
    } else if (mark === 0x2d || (mark >= 0x30 && mark <= 0x39)) {
      at = inspectNumber(text, at);
    } else {
      at += 1;
    }
  }
}

function inspectString(text: string, start: number, keys: Set<string> | null): number {
  const end = endOfString(text, start);
  const raw = text.slice(start, end);
  const value: string = raw.includes("\\") ? JSON.parse(raw) : raw.slice(1, -1);
  if (!value.isWellFormed()) throw new StrictJsonError("lone_surrogate");
  if (keys !== null && isKey(text, end)) {
    if (keys.has(value)) throw new StrictJsonError("duplicate_key");
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

function isKey(text: string, end: number): boolean {
  let at = end;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return text[at] === ":";
}

function inspectNumber(text: string, start: number): number {
  NUMBER_TOKEN.lastIndex = start;
  const token = NUMBER_TOKEN.exec(text)?.[0] ?? text[start] ?? "";
  const value = Number(token);
  if (!Number.isFinite(value)) throw new StrictJsonError("number_overflow");
  if (PLAIN_NUMBER.test(token) && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new StrictJsonError("unsafe_integer");
  }
  return start + token.length;
}
