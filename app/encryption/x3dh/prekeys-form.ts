import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { type CryptoPrimitives, SIZES } from "../crypto-primitives.ts";
import { checkedBody, withChecksum } from "../state-checksum.ts";
import type { OneTimePrekey, Owned, PrekeyStore, SignedPrekey } from "./prekeys.ts";

const FORM_VERSION = 1;

/** The bytes to store. They contain keys, which the storage protects (docs/encryption.md, "Records"). */
export function encodePrekeys(crypto: CryptoPrimitives, store: PrekeyStore): Uint8Array {
  const writer = new ByteWriter().u8(FORM_VERSION).u32(store.nextId).u16(store.signed.length);
  for (const { createdAt, ...prekey } of store.signed) {
    writePrekey(writer.u64(createdAt), prekey);
  }
  writer.u16(store.oneTime.length);
  for (const prekey of store.oneTime) writePrekey(writer, prekey);
  return withChecksum(crypto, writer.done());
}

const writePrekey = (writer: ByteWriter, prekey: Owned<OneTimePrekey>): ByteWriter =>
  writer
    .u32(prekey.id)
    .fixed(prekey.privateKey, SIZES.key)
    .fixed(prekey.publicKey, SIZES.key)
    .fixed(prekey.signature, SIZES.signature);

/** @throws EncryptionError `corrupt_state` for anything that `encodePrekeys` would not make */
export function decodePrekeys(crypto: CryptoPrimitives, stored: Uint8Array): PrekeyStore {
  const reader = new ByteReader(checkedBody(crypto, stored), "corrupt_state");
  if (reader.u8() !== FORM_VERSION) reader.refuse();
  const nextId = reader.u32();
  const signed = Array.from({ length: reader.u16() }, () => readSigned(reader));
  const oneTime = Array.from({ length: reader.u16() }, () => readPrekey(reader));
  reader.end();
  return { signed, oneTime, nextId };
}

function readSigned(reader: ByteReader): Owned<SignedPrekey> {
  const createdAt = reader.u64();
  return { createdAt, ...readPrekey(reader) };
}

const readPrekey = (reader: ByteReader): Owned<OneTimePrekey> => ({
  id: reader.u32(),
  privateKey: reader.fixed(SIZES.key),
  publicKey: reader.fixed(SIZES.key),
  signature: reader.fixed(SIZES.signature),
});
