import { ByteReader } from "../../app/encryption/bytes/byte-reader.ts";
import { ByteWriter } from "../../app/encryption/bytes/byte-writer.ts";
import type { KeyRecords } from "../../app/encryption/correspondence/ports.ts";
import { SIZES } from "../../app/encryption/crypto-primitives.ts";
import { refuse } from "../../app/encryption/encryption-error.ts";
import { SUITES, type Suite, suiteOf } from "../../app/encryption/envelope/suites.ts";
import {
  createIdentity,
  type Identity,
  identityFrom,
} from "../../app/encryption/identity/identity.ts";
import { checkedBody, withChecksum } from "../../app/encryption/state-checksum.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";

const RECORD = "identity";

/**
 * The agent's identity from its key store, or else a new one, which is stored.
 * @param level of a new one
 */
export async function ownIdentity(
  records: KeyRecords,
  agentId: string,
  level: Suite,
): Promise<Identity> {
  const stored = (await records.load()).get(RECORD);
  const kept = stored === undefined ? null : read(stored);
  if (kept?.card.ownerId === agentId) return kept;
  const made = createIdentity(crypto, agentId, level);
  await keepIdentity(records, made);
  return made;
}

export async function keepIdentity(records: KeyRecords, identity: Identity): Promise<void> {
  const { card, signing, agreement } = identity;
  const writer = new ByteWriter()
    .text(card.ownerId)
    .fixed(signing.privateKey, SIZES.key)
    .fixed(agreement.privateKey, SIZES.key)
    .u8(SUITES[card.level ?? refuse("bad_identity")]);
  await records.save(new Map([[RECORD, withChecksum(crypto, writer.done())]]));
}

/** @throws EncryptionError `corrupt_state` */
function read(stored: Uint8Array): Identity {
  const reader = new ByteReader(checkedBody(crypto, stored), "corrupt_state");
  const ownerId = reader.text();
  const signingPrivate = reader.fixed(SIZES.key);
  const agreementPrivate = reader.fixed(SIZES.key);
  const level = suiteOf(reader.u8()) ?? reader.refuse();
  reader.end();
  return identityFrom(crypto, { ownerId, signingPrivate, agreementPrivate, level });
}

const ID_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_LENGTH = 22;

/** An id as the hub would choose it, each letter equally likely. */
export function newAgentId(): string {
  let id = "";
  while (id.length < ID_LENGTH) {
    for (const byte of crypto.randomBytes(ID_LENGTH)) {
      const letter = byte < 248 ? ID_LETTERS[byte % 62] : undefined;
      if (letter !== undefined && id.length < ID_LENGTH) id += letter;
    }
  }
  return id;
}
