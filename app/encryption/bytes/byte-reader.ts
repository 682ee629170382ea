import { type EncryptionErrorCode, refuse } from "../encryption-error.ts";
import { TEXT_BYTES } from "./byte-writer.ts";
import { readUtf8 } from "./text-bytes.ts";

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
