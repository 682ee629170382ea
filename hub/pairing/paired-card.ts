import type { EncryptionLevelWord } from "../../app/protocol/v1/key-rest.ts";
import type { PairingRequest } from "../../app/protocol/v1/rest.ts";
import { Refusal } from "../hub-error.ts";
import { type ReadCard, readPublishedCard } from "../keys/key-directory.ts";
import { isNewId } from "../tokens/random-text.ts";

/** The agent's identity, and how it wants to be written to. */
export interface PairedCard extends ReadCard {
  readonly level: EncryptionLevelWord;
}

/** The agent chose the id, so it must have the form of ours and be free. @throws Refusal BAD_REQUEST */
export function cardOf({
  identity_card,
  encryption,
}: Pick<PairingRequest, "identity_card" | "encryption">): PairedCard | undefined {
  if (identity_card === undefined && encryption === undefined) return undefined;
  const { level, ...card } = readPublishedCard(identity_card ?? "");
  if (level === null || level !== encryption || !isNewId(card.ownerId)) throw cardRefused();
  return { ...card, level };
}

export const cardRefused = () => new Refusal("BAD_REQUEST", { fault: "identity_card" });
