/** SQLite's variable-length integers: seven bits per byte, and all eight of the ninth. */
export interface Varint {
  readonly value: number;
  readonly end: number;
}

const LONGEST = 9;

/** Null beyond the end of the bytes, and for numbers too large to be ours. */
export function readVarint(bytes: Uint8Array, at: number): Varint | null {
  let value = 0;
  for (let count = 1; count <= LONGEST; count += 1) {
    const byte = bytes[at + count - 1];
    if (byte === undefined) return null;
    value = count === LONGEST ? value * 256 + byte : value * 128 + (byte & 0x7f);
    if (count === LONGEST || byte < 0x80) {
      return Number.isSafeInteger(value) ? { value, end: at + count } : null;
    }
  }
  return null;
}
