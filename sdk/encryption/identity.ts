import { toBase64 } from "../../app/contract/base64.ts";
import { ByteReader, ByteWriter } from "../../app/encryption/bytes.ts";
import { checkedBody, SIZES, withChecksum } from "../../app/encryption/crypto-primitives.ts";
import type { EncryptionLevel, KeyRecords } from "../../app/encryption/e2ee/ports.ts";
import { refuse } from "../../app/encryption/encryption-error.ts";
import { safetyNumber, safetyWords } from "../../app/encryption/identity/fingerprint.ts";
import {
  createIdentity,
  encodeCard,
  type Identity,
  type IdentityCard,
  identityFrom,
  SUITES,
  type Suite,
  suiteOf,
} from "../../app/encryption/identity/identity.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";
import { agentKeyFile } from "../../runtime/files/agent-files.ts";
import type { KeyStore } from "../options.ts";
import type { SafetyNumber } from "./encryption-events.ts";

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
function newAgentId(): string {
  let id = "";
  while (id.length < ID_LENGTH) {
    for (const byte of crypto.randomBytes(ID_LENGTH)) {
      const letter = byte < 248 ? ID_LETTERS[byte % 62] : undefined;
      if (letter !== undefined && id.length < ID_LENGTH) id += letter;
    }
  }
  return id;
}

/** The identity of an agent that nobody has added yet. */
export interface PairedIdentity {
  readonly agentId: string;
  /** What the request carries. */
  readonly fields: { readonly identity_card: string; readonly encryption: EncryptionLevel };
  /** What this agent and the owner of the card compare. */
  safetyNumber(card: IdentityCard): SafetyNumber;
  /** The person has added it: from now on the identity is this agent's. */
  keep(): Promise<void>;
}

/** @param level the level at which others must write to the agent, which it signs */
export function pairedIdentity(
  keyStore: KeyStore | undefined,
  level: EncryptionLevel,
): PairedIdentity {
  const agentId = newAgentId();
  const identity = createIdentity(crypto, agentId, level);
  return {
    agentId,
    fields: { identity_card: toBase64(encodeCard(identity.card)), encryption: level },
    safetyNumber: (card) => ({
      digits: safetyNumber(crypto, identity.card, card),
      words: safetyWords(crypto, identity.card, card),
    }),
    async keep() {
      if (keyStore !== undefined) return keepIdentity(keyStore, identity);
      const file = await agentKeyFile(agentId);
      await keepIdentity(file, identity).finally(() => file.close());
    },
  };
}

interface Reached {
  readonly connectionMode?: "websocket" | "webhook";
}

/** docs/encryption.md, "Levels" */
export const levelFor = ({ connectionMode }: Reached): EncryptionLevel =>
  connectionMode === "webhook" ? "sealed" : "ratchet";
