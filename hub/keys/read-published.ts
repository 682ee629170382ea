import { fromBase64, toBase64 } from "../../app/contract/base64.ts";
import { EncryptionError } from "../../app/encryption/encryption-error.ts";
import type { Suite } from "../../app/encryption/envelope/suites.ts";
import { keyIdOf, parseCard } from "../../app/encryption/identity/identity-card.ts";
import {
  ONE_TIME_PREKEY_BYTES,
  SIGNED_PREKEY_BYTES,
} from "../../app/encryption/x3dh/prekey-bundle.ts";
import type { KeysPublish } from "../../app/protocol/v1/key-rest.ts";
import { nodePrimitives } from "../../runtime/crypto/node-primitives.ts";
import { Refusal } from "../refusal.ts";

/** The parts of a card that the hub reads. */
export interface ReadCard {
  readonly ownerId: string;
  /** Base64. */
  readonly keyId: string;
  /** Null in a person's. */
  readonly level: Suite | null;
  readonly bytes: Uint8Array;
}

const unreadable = (): never => {
  throw new Refusal("BAD_REQUEST", { fault: "identity_card" });
};

/**
 * A card's owner and key. Its signature is checked by those who rely on it.
 * @throws Refusal BAD_REQUEST, fault `identity_card`
 */
export function readPublishedCard(text: string): ReadCard {
  const bytes = fromBase64(text) ?? unreadable();
  try {
    const card = parseCard(bytes);
    const keyId = toBase64(keyIdOf(nodePrimitives, card));
    return { ownerId: card.ownerId, keyId, level: card.level, bytes };
  } catch (error) {
    if (error instanceof EncryptionError) unreadable();
    throw error;
  }
}

/** @throws Refusal BAD_REQUEST, fault `prekeys` */
export function readPublishedPrekeys({ signed_prekey, one_time_prekeys }: KeysPublish) {
  return {
    signed: bytesOf(signed_prekey, SIGNED_PREKEY_BYTES),
    oneTime: one_time_prekeys.map((text) => bytesOf(text, ONE_TIME_PREKEY_BYTES)),
  };
}

function bytesOf(text: string, length: number): Uint8Array {
  const bytes = fromBase64(text);
  if (bytes?.length !== length) throw new Refusal("BAD_REQUEST", { fault: "prekeys" });
  return bytes;
}
