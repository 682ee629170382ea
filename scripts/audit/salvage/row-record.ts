import { readVarint } from "./varint.ts";

export type Cell = number | string | Uint8Array | null;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Sizes of integers with serial types 0 to 6, in bytes. */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8] as const;
const REAL = 7;
const ZERO = 8;
const ONE = 9;
const FIRST_TEXT = 12;

/** The columns of a row (SQLite file format §2.1); null if the bytes are not one. */
export function readRow(payload: Uint8Array): readonly Cell[] | null {
  const header = readVarint(payload, 0);
  if (header === null || header.value > payload.length) return null;
  const cells: Cell[] = [];
  let body = header.value;
  for (let at = header.end; at < header.value; ) {
    const type = readVarint(payload, at);
    if (type === null || type.end > header.value) return null;
    const width = widthOf(type.value);
    if (width === null || body + width > payload.length) return null;
    const cell = cellOf(type.value, payload.subarray(body, body + width));
    if (cell === undefined) return null;
    cells.push(cell);
    body += width;
    at = type.end;
  }
  return body === payload.length ? cells : null;
}

function widthOf(type: number): number | null {
  if (type >= FIRST_TEXT) return Math.floor((type - FIRST_TEXT) / 2);
  if (type === REAL) return 8;
  return type === ZERO || type === ONE ? 0 : (INTEGER_BYTES[type] ?? null);
}

function cellOf(type: number, bytes: Uint8Array): Cell | undefined {
  if (type === 0) return null;
  if (type === ZERO || type === ONE) return type - ZERO;
  if (type === REAL) return viewOf(bytes).getFloat64(0);
  if (type < FIRST_TEXT) return integerOf(bytes);
  return type % 2 === 0 ? bytes : textOf(bytes);
}

function integerOf(bytes: Uint8Array): number | undefined {
  let value = (bytes[0] ?? 0) > 0x7f ? -1n : 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
