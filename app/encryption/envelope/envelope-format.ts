import { ByteReader, ByteWriter, compareBytes, equalBytes, joinBytes } from "../bytes.ts";
import { SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { SUITES, type Suite, suiteOf } from "../identity/identity.ts";
import { type LedgerHead, NO_LEDGER } from "../ledger/ledger.ts";

/** The first byte of every encrypted envelope; a plain one begins with 0. */
const ENVELOPE_VERSION = 1;
const PLAIN_VERSION = 0;
/** A group's members (contract §8) without its sender, plus one. */
const MAX_RECIPIENTS = 500;

export interface Addressee {
  readonly id: string;
  readonly keyId: Uint8Array;
}

/**
 * Every layer of an envelope is bound to this. The hub can read it, and uses parts of it for
 * routing.
 */
export interface EnvelopeHeader {
  readonly suite: Suite;
  readonly conversationId: string;
  readonly sender: Addressee;
  /**
   * Counts from 1 per conversation and sending identity; each envelope's is greater than the one
   * before.
   */
  readonly sequence: number;
  /** How much of the grant ledger the sender knows (L6). */
  readonly ledger: LedgerHead;
  /** In ascending order of key id, without duplicates. */
  readonly recipients: readonly Addressee[];
}

export function encodeHeader(header: EnvelopeHeader): Uint8Array {
  requireCanonical(header);
  const writer = new ByteWriter()
    .u8(ENVELOPE_VERSION)
    .u8(SUITES[header.suite])
    .text(header.conversationId)
    .text(header.sender.id)
    .fixed(header.sender.keyId, SIZES.hash)
    .u64(header.sequence)
    .u64(header.ledger.length)
    .fixed(header.ledger.hash, SIZES.hash)
    .u16(header.recipients.length);
  for (const { id, keyId } of header.recipients) writer.text(id).fixed(keyId, SIZES.hash);
  return writer.done();
}

/** @throws EncryptionError `malformed`, `unsupported_version`; `downgraded` for a plain envelope */
function readHeader(reader: ByteReader): EnvelopeHeader {
  const version = reader.u8();
  if (version === PLAIN_VERSION) refuse("downgraded");
  if (version !== ENVELOPE_VERSION) refuse("unsupported_version");
  const header: EnvelopeHeader = {
    suite: suiteOf(reader.u8()) ?? refuse("unsupported_version"),
    conversationId: reader.text(),
    sender: readAddressee(reader),
    sequence: reader.u64(),
    ledger: { length: reader.u64(), hash: reader.fixed(SIZES.hash) },
    recipients: readAddressees(reader),
  };
  requireCanonical(header);
  return header;
}

/** Checks the count before reading that many. */
function readAddressees(reader: ByteReader): readonly Addressee[] {
  const count = reader.u16();
  if (count > MAX_RECIPIENTS) refuse("malformed");
  return Array.from({ length: count }, () => readAddressee(reader));
}

const readAddressee = (reader: ByteReader): Addressee => ({
  id: reader.text(),
  keyId: reader.fixed(SIZES.hash),
});

function requireCanonical({ sequence, ledger, recipients }: EnvelopeHeader): void {
  const isEmpty = ledger.length === 0;
  if (sequence === 0 || isEmpty !== equalBytes(ledger.hash, NO_LEDGER.hash)) refuse("malformed");
  if (recipients.length === 0 || recipients.length > MAX_RECIPIENTS) refuse("malformed");
  const isAscending = recipients.every(({ keyId }, at) => {
    const before = recipients[at - 1];
    return before === undefined || compareBytes(before.keyId, keyId) < 0;
  });
  if (!isAscending) refuse("malformed");
}

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
