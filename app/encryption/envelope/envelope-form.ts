import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { type EnvelopeHeader, readHeader } from "./envelope-header.ts";

/** Maximum size of an envelope in bytes: enough for a result of 1 MiB (contract §1). */
export const ENVELOPE_BYTES = 2 * 1_048_576;

/** A parsed envelope, for as long as its bytes do not change. Nothing in it has been verified. */
export interface EnvelopeParts {
  readonly header: EnvelopeHeader;
  readonly headerBytes: Uint8Array;
  /** The message's key, wrapped for each recipient, in the header's order. */
  readonly blocks: readonly Uint8Array[];
  /** Header and blocks exactly as in the envelope; the content is bound to them. */
  readonly prefix: Uint8Array;
  readonly content: Uint8Array;
  /** Everything before the signature. */
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

export function encodePrefix(headerBytes: Uint8Array, blocks: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter().raw(headerBytes);
  for (const block of blocks) writer.bytes16(block);
  return writer.done();
}

export function encodeSigned(prefix: Uint8Array, content: Uint8Array): Uint8Array {
  const signed = new ByteWriter().raw(prefix).bytes32(content).done();
  if (signed.length + SIZES.signature > ENVELOPE_BYTES) refuse("malformed");
  return signed;
}

export const encodeEnvelope = (signed: Uint8Array, signature: Uint8Array): Uint8Array =>
  joinBytes(signed, signature);

/** @throws EncryptionError `malformed`, `unsupported_version`, `downgraded` */
export function readEnvelope(bytes: Uint8Array): EnvelopeParts {
  if (bytes.length > ENVELOPE_BYTES) refuse("malformed");
  const reader = new ByteReader(bytes);
  const header = readHeader(reader);
  const headerBytes = bytes.subarray(0, reader.position);
  const blocks = header.recipients.map(() => reader.bytes16());
  const prefix = bytes.subarray(0, reader.position);
  const content = reader.view32();
  const signed = bytes.subarray(0, reader.position);
  const signature = reader.fixed(SIZES.signature);
  reader.end();
  return { header, headerBytes, blocks, prefix, content, signed, signature };
}
