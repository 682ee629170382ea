import { fromBase64 } from "../app/contract/base64.ts";
import { EncryptionError } from "../app/encryption/encryption-error.ts";
import { type IdentityCard, readCard } from "../app/encryption/identity/identity-card.ts";
import type { PairingState } from "../app/protocol/v1/rest.ts";
import { nodePrimitives as crypto } from "../runtime/crypto/node-primitives.ts";
import type { Ticket } from "./pairing-answers.ts";
import { PairingError } from "./pairing-error.ts";

/** The person's card as the hub showed it while the pairing waited. */
interface ShownPerson {
  readonly card: IdentityCard;
  readonly text: string;
}

/**
 * Null if the hub shows none.
 * @throws PairingError `key_mismatch` for one that nobody can have published
 */
export function shownPerson({ person_card }: Ticket): ShownPerson | null {
  if (person_card === undefined || person_card === null) return null;
  const text = String(person_card);
  try {
    const bytes = fromBase64(text);
    if (bytes !== undefined) return { card: readCard(crypto, bytes), text };
  } catch (error) {
    if (!(error instanceof EncryptionError)) throw error;
  }
  throw new PairingError("key_mismatch");
}

/**
 * The card to know the person by from now on; null if the hub has none.
 * @throws PairingError `key_mismatch` when it is not the one whose number was shown
 */
export function metPerson(
  { person_card, user_id }: Extract<PairingState, { status: "accepted" }>,
  shown: ShownPerson | null,
): Uint8Array | null {
  const isShown = shown?.text === person_card && shown?.card.ownerId === user_id;
  if (shown !== null && !isShown) throw new PairingError("key_mismatch");
  return (typeof person_card === "string" ? fromBase64(person_card) : undefined) ?? null;
}
