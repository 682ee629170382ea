import { type EncryptionErrorCode, refuse } from "./encryption-error.ts";

/** Maximum length of an id in a text field, in bytes. */
const TEXT_BYTES = 512;

interface Numeral {
  readonly value: number;
  /** Bytes. */
  readonly length: number;
}

/** Numbers are big-endian and unsigned. Texts and byte fields are preceded by their length. */
export class ByteWriter {
  readonly #parts: (Uint8Array | Numeral)[] = [];
  #length = 0;

  u8(value: number): this {
    return this.#number(value, 1);
  }

  u16(value: number): this {
    return this.#number(value, 2);
  }

  u32(value: number): this {
    return this.#number(value, 4);
  }

  /** Up to 2^53 - 1, which every implementation can represent. */
  u64(value: number): this {
    return this.#number(value, 8);
  }

  /** 1 to 512 bytes of UTF-8, preceded by the length in two bytes. */
  text(value: string): this {
    const bytes = utf8(value);
    if (bytes.length === 0 || bytes.length > TEXT_BYTES || !value.isWellFormed()) {
      refuse("malformed");
    }
    return this.u16(bytes.length).raw(bytes);
  }

  bytes16(value: Uint8Array): this {
    return this.u16(value.length).raw(value);
  }

  bytes32(value: Uint8Array): this {
    return this.u32(value.length).raw(value);
  }

  /** A field whose length the format fixes. */
  fixed(value: Uint8Array, length: number): this {
    if (value.length !== length) refuse("malformed");
    return this.raw(value);
  }

  raw(value: Uint8Array): this {
    return this.#add(value);
  }

  /** One byte, 0 or 1, says whether what `write` writes follows. */
  optional<T>(value: T | null, write: (value: T) => void): this {
    this.u8(value === null ? 0 : 1);
    if (value !== null) write(value);
    return this;
  }

  done(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      if (part instanceof Uint8Array) bytes.set(part, at);
      else writeNumeral(bytes, at, part);
      at += part.length;
    }
    return bytes;
  }

  #number(value: number, length: number): this {
    if (!Number.isSafeInteger(value) || value < 0 || value >= 256 ** length) refuse("malformed");
    return this.#add({ value, length });
  }

  #add(part: Uint8Array | Numeral): this {
    this.#parts.push(part);
    this.#length += part.length;
    return this;
  }
}

function writeNumeral(bytes: Uint8Array, start: number, { value, length }: Numeral): void {
  let rest = value;
  for (let at = start + length - 1; at >= start; at -= 1) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

/**
 * Reads what `ByteWriter` writes and refuses everything else, so each value has exactly one
 * encoding. The fields it returns are copies, unaffected by later changes to the caller's buffer.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #fault: EncryptionErrorCode;
  #at = 0;

  constructor(bytes: Uint8Array, fault: EncryptionErrorCode = "malformed") {
    this.#bytes = bytes;
    this.#fault = fault;
  }

  get position(): number {
    return this.#at;
  }

  u8(): number {
    return this.#number(1);
  }

  u16(): number {
    return this.#number(2);
  }

  u32(): number {
    return this.#number(4);
  }

  u64(): number {
    const value = this.#number(8);
    return Number.isSafeInteger(value) ? value : this.refuse();
  }

  text(): string {
    const length = this.u16();
    if (length === 0 || length > TEXT_BYTES) this.refuse();
    return readUtf8(this.fixed(length)) ?? this.refuse();
  }

  bytes16(): Uint8Array {
    return this.fixed(this.u16());
  }

  bytes32(): Uint8Array {
    return this.fixed(this.u32());
  }

  fixed(length: number): Uint8Array {
    const at = this.#pass(length);
    return this.#bytes.slice(at, at + length);
  }

  /** As `bytes32`, but no copy: for a field that is used up before the bytes can change. */
  view32(): Uint8Array {
    const length = this.u32();
    const at = this.#pass(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** @returns where the field begins that is passed */
  #pass(length: number): number {
    const at = this.#at;
    if (at + length > this.#bytes.length) this.refuse();
    this.#at = at + length;
    return at;
  }

  /** One byte, 0 or 1, says whether `read` follows; any other value is refused. */
  optional<T>(read: () => T): T | null {
    const flag = this.u8();
    if (flag > 1) this.refuse();
    return flag === 1 ? read() : null;
  }

  rest(): Uint8Array {
    return this.fixed(this.#bytes.length - this.#at);
  }

  end(): void {
    if (this.#at !== this.#bytes.length) this.refuse();
  }

  refuse(): never {
    return refuse(this.#fault);
  }

  #number(width: number): number {
    const end = this.#at + width;
    if (end > this.#bytes.length) this.refuse();
    let value = 0;
    for (; this.#at < end; this.#at += 1) value = value * 256 + (this.#bytes[this.#at] ?? 0);
    return value;
  }
}

/**
 * Negative, zero or positive, decided by the first byte that differs; a prefix sorts before the
 * longer array.
 */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Takes the same time wherever the arrays differ. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at += 1) difference |= (a[at] ?? 0) ^ (b[at] ?? 0);
  return difference === 0;
}

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += PAIRS[byte];
  return text;
}

const encoder = new TextEncoder();
/** Keeps the byte order mark: decoding and encoding must give the same bytes again. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** @returns null if the bytes are not valid UTF-8 */
export function readUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
