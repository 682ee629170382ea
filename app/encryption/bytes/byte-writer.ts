import { refuse } from "../encryption-error.ts";
import { utf8 } from "./text-bytes.ts";

/** Maximum length of an id in a text field, in bytes. */
export const TEXT_BYTES = 512;

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
