import { toBase64 } from "../../app/contract/base64.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import type { EncryptionLevelWord } from "../../app/protocol/v1/key-rest.ts";
import type { AgentView, PairingRequest, RelationView } from "../../app/protocol/v1/rest.ts";
import { type Refusal, refusal } from "../hub-error.ts";
import type { RandomBytes } from "../hub-options.ts";
import type { NewPairing, StoredPairing } from "../hub-records.ts";
import { type ReadCard, readPublishedCard } from "../keys/key-directory.ts";
import type { CheckedManifest } from "../registry/read-checked-manifest.ts";
import { hashToken, newPairingToken, pairedAgentToken } from "../tokens/access-token.ts";
import { isNewId, newId, pairingCode } from "../tokens/random-text.ts";

/** How long an agent can fetch what it was given. */
export const GIVEN_MS = 7 * 24 * 3_600_000;

export type AnsweredPairing =
  | { readonly status: "refused" }
  | { readonly status: "accepted"; readonly relation: RelationView; readonly agent: AgentView };

/** Not stored yet. @returns also its token, which is told once */
export function newPairing(
  asked: Pick<NewPairing, "user_id"> & { readonly name: string },
  { manifest, hash }: CheckedManifest,
  card: PairedCard | undefined,
  now: number,
  { random, tokenSecret }: { readonly random: RandomBytes; readonly tokenSecret: Uint8Array },
): { readonly pairing: NewPairing; readonly token: string } {
  const { user_id, name } = asked;
  const token = newPairingToken(random);
  const expires = now + LIMITS.pairingLifeMs;
  const code = pairingCode(random);
  const pairing_id = newId(random);
  const shown = {
    ...{ pairing_id, code, name, expires_at: new Date(expires).toISOString() },
    ...{ capability_manifest: manifest, capability_manifest_hash: hash },
    ...(card && { identity_card: toBase64(card.bytes), encryption: card.level }),
  };
  const secrets = {
    token_hash: hashToken(token),
    agent_token_hash: hashToken(pairedAgentToken(tokenSecret, token)),
  };
  return { token, pairing: { pairing_id, user_id, shown, ...secrets, expires_at: expires } };
}

/** As it was added. */
export const pairedAgent = (
  agent_id: string,
  { name, capability_manifest, capability_manifest_hash }: NewPairing["shown"],
): AgentView => ({
  ...{ agent_id, name, connection_mode: "websocket" },
  ...{ capability_manifest, capability_manifest_version: 1, capability_manifest_hash },
});

export const closed = (pairing: StoredPairing | undefined): Refusal =>
  refusal(pairing?.status === "expired" ? "PAIRING_EXPIRED" : "PAIRING_CLOSED");

/** @throws Refusal PAIRING_EXPIRED, PAIRING_CLOSED */
export function refuseUnlessWaiting(pairing: StoredPairing): void {
  if (pairing.status !== "waiting") throw closed(pairing);
}

export const tooMany = (): Refusal =>
  refusal("TOO_MANY_PAIRINGS", { waiting: LIMITS.pairingsWaiting });

export const base64Or = (card: Uint8Array | null | undefined): string | null =>
  card ? toBase64(card) : null;

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

export const cardRefused = () => refusal("BAD_REQUEST", { fault: "identity_card" });
