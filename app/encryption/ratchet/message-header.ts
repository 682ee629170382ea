import type { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { SIZES } from "../crypto-primitives.ts";

/** Double Ratchet §3.1 `HEADER(dh_pair, pn, n)`. Not encrypted: §4 is not used. */
export interface MessageHeader {
  readonly ratchetKey: Uint8Array;
  /** PN: number of messages in the sender's previous chain. */
  readonly previousSent: number;
  /** N: this message's number in its chain, from 0. */
  readonly number: number;
}

export const encodeHeader = (header: MessageHeader): Uint8Array =>
  new ByteWriter()
    .fixed(header.ratchetKey, SIZES.key)
    .u32(header.previousSent)
    .u32(header.number)
    .done();

export const readHeader = (reader: ByteReader): MessageHeader => ({
  ratchetKey: reader.fixed(SIZES.key),
  previousSent: reader.u32(),
  number: reader.u32(),
});
