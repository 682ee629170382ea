import { joinBundle } from "../../app/encryption/x3dh/prekey-bundle.ts";
import { toBase64 } from "../../app/protocol/v1/base64.ts";
import type { ServerFrame } from "../../app/protocol/v1/frames.ts";
import {
  type BundleAnswer,
  type IdentityAnswer,
  KEY_LIMITS,
  type KeysPublish,
  type KeysStanding,
} from "../../app/protocol/v1/key-rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";
import type { Subject } from "../sessions/session.ts";
import { type ReadCard, readPublishedCard, readPublishedPrekeys } from "./read-published.ts";

/**
 * @throws Refusal BAD_REQUEST (faults `identity_card`, `prekeys`), FORBIDDEN; RATE_LIMITED when an
 * agent has published too many identities
 */
export function publishKeys(parts: HubParts, owner: Subject, body: KeysPublish): KeysStanding {
  const card = readPublishedCard(body.identity_card);
  if (card.ownerId !== owner.id) throw new Refusal("FORBIDDEN");
  const { signed, oneTime } = readPublishedPrekeys(body);
  const { isChanged, standing } = parts.atomically(() => {
    const before = parts.keys.find(owner.id);
    const isChanged = before !== undefined && before.key_id !== card.keyId;
    // Each change is told to everybody, read by them and shown to the person.
    if (isChanged && owner.type === "agent") refuseSooner(parts.limits.keyChanges.take(owner.id));
    parts.keys.put(identityOf(card, signed));
    const room = KEY_LIMITS.oneTimeKept - parts.keys.left(owner.id);
    parts.keys.addOneTime(owner.id, oneTime.slice(0, Math.max(0, room)));
    // Nobody could append to what another key has signed.
    if (isChanged && owner.type === "human") parts.ledgers.forget(owner.id);
    return { isChanged, standing: standingOf(parts, owner.id) };
  });
  if (isChanged) announceChange(parts, owner.id, card.keyId);
  return standing;
}

/** An agent's card comes with its pairing, before it can publish anything. In a transaction. */
export function putPairedCard(parts: HubParts, card: ReadCard): void {
  parts.keys.put(identityOf(card, null));
}

const identityOf = ({ ownerId, keyId, bytes }: ReadCard, signed_prekey: Uint8Array | null) => ({
  owner_id: ownerId,
  key_id: keyId,
  identity_card: bytes,
  signed_prekey,
});

/** @throws Refusal NOT_FOUND before anything was published */
export function standingOf(parts: HubParts, ownerId: string): KeysStanding {
  const identity = parts.keys.find(ownerId);
  if (identity === undefined) throw new Refusal("NOT_FOUND");
  return { key_id: identity.key_id, one_time_left: parts.keys.left(ownerId) };
}

/** @throws Refusal NOT_FOUND, RATE_LIMITED */
export function identityFor(parts: HubParts, asker: Subject, ownerId: string): IdentityAnswer {
  const { identity_card } = publishedFor(parts, asker, ownerId);
  return { owner_id: ownerId, identity_card: toBase64(identity_card) };
}

/**
 * What begins a session; its one-time prekey is gone before it is handed out.
 * @throws Refusal NOT_FOUND (also while the owner has published no prekeys), RATE_LIMITED
 */
export function bundleFor(parts: HubParts, asker: Subject, ownerId: string): BundleAnswer {
  const { identity_card: card, signed_prekey: signedPrekey } = publishedFor(parts, asker, ownerId);
  if (signedPrekey === null) throw new Refusal("NOT_FOUND");
  const oneTimePrekey = parts.atomically(() => parts.keys.takeOneTime(ownerId));
  for (const frame of lowFrames(parts, ownerId)) parts.connections.send(ownerId, frame);
  return { bundle: toBase64(joinBundle({ card, signedPrekey, oneTimePrekey })) };
}

/** To those who share no conversation an owner does not exist. */
function publishedFor(parts: HubParts, asker: Subject, ownerId: string) {
  // A person reads the keys of each agent that has new ones: none may use up the others' reads.
  const who = asker.type === "human" ? JSON.stringify([asker.id, ownerId]) : asker.id;
  refuseSooner(parts.limits.keysAsked.take(who));
  const identity = parts.keys.find(ownerId);
  const isShared = asker.id === ownerId || doShare(parts, asker.id, ownerId);
  if (identity === undefined || !isShared) throw new Refusal("NOT_FOUND");
  return identity;
}

/** @throws Refusal RATE_LIMITED */
function refuseSooner(retry_after_ms: number | undefined): void {
  if (retry_after_ms === undefined) return;
  const retry_after = Math.ceil(retry_after_ms / 1_000);
  throw new Refusal("RATE_LIMITED", { retry_after, retry_after_ms });
}

/** Whoever is away hears of it at the next connect. */
function announceChange(parts: HubParts, owner_id: string, key_id: string): void {
  for (const other of parts.keys.sharingWith(owner_id)) {
    if (!doShare(parts, other, owner_id)) continue;
    parts.connections.send(other, { type: "keys.changed", owner_id, key_id });
  }
}

/** The keys of all those whom one may write to, and one's own prekeys, for who connects now. */
export function keysStanding(parts: HubParts, memberId: string): readonly ServerFrame[] {
  const others = parts.keys.sharingWith(memberId).flatMap((owner_id): ServerFrame[] => {
    const identity = parts.keys.find(owner_id);
    if (identity === undefined || !doShare(parts, memberId, owner_id)) return [];
    return [{ type: "keys.changed", owner_id, key_id: identity.key_id }];
  });
  return [...others, ...lowFrames(parts, memberId)];
}

function lowFrames(parts: HubParts, ownerId: string): readonly ServerFrame[] {
  if (parts.keys.find(ownerId)?.signed_prekey == null) return [];
  const one_time_left = parts.keys.left(ownerId);
  return one_time_left < KEY_LIMITS.oneTimeLow ? [{ type: "prekeys.low", one_time_left }] : [];
}

/** Both are active in some conversation. */
const doShare = (parts: HubParts, one: string, other: string): boolean =>
  parts.keys.sharedBy(one, other).some((conversationId) => {
    const members = parts.conversations.find(conversationId)?.activeMembers ?? [];
    return [one, other].every((id) => members.some(({ member_id }) => member_id === id));
  });
