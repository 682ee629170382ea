import {
  createIdentity,
  encodeCard,
  type Identity,
} from "../../app/encryption/identity/identity.ts";
import { type SeededPrimitives, seededPrimitives } from "./seeded-primitives.ts";

/** ms since the epoch, chosen arbitrarily. */
export const VECTOR_TIME = 1_800_000_000_000;

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export interface VectorParties {
  readonly crypto: SeededPrimitives;
  readonly person: Identity;
  readonly agent: Identity;
}

/** The same two in every file; later random values depend on the file. */
export function makeParties(file: string): VectorParties {
  const keys = seededPrimitives("consentry vectors");
  const person = createIdentity(keys, "person-1");
  const agent = createIdentity(keys, "agent-1");
  return { crypto: seededPrimitives(`consentry vectors ${file}`), person, agent };
}

export const describeIdentity = ({ card, signing, agreement }: Identity) => ({
  owner_id: card.ownerId,
  signing_private: toHex(signing.privateKey),
  signing_public: toHex(signing.publicKey),
  agreement_private: toHex(agreement.privateKey),
  agreement_public: toHex(agreement.publicKey),
  card: toHex(encodeCard(card)),
  key_id: toHex(card.keyId),
});
