import { fromBase64, toBase64 } from "../../app/contract/base64.ts";
import { encryptionError } from "../../app/encryption/encryption-error.ts";
import { type IdentityCard, readCard, type Suite } from "../../app/encryption/identity/identity.ts";
import {
  joinBundle,
  ONE_TIME_PREKEY_BYTES,
  SIGNED_PREKEY_BYTES,
} from "../../app/encryption/x3dh/x3dh.ts";
import type {
  BundleAnswer,
  IdentityAnswer,
  KeysState,
  LedgerAnswer,
} from "../../app/protocol/v1/answers.ts";
import type { ServerFrame } from "../../app/protocol/v1/frames.ts";
import { KEY_LIMITS, type KeysPublish, type LedgerAppend } from "../../app/protocol/v1/key-rest.ts";
import { nodePrimitives } from "../../runtime/crypto/node-primitives.ts";
import { refusal } from "../hub-error.ts";
import type { PublishedIdentity, Snapshot, Subject } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { type KeyLimits, type RollingLimit, retryAfter } from "../limits/agent-limits.ts";
import type { Connections } from "../lines/connections.ts";

export interface KeyParts {
  readonly storage: HubStorage;
  readonly connections: Connections;
  readonly limits: KeyLimits;
}

/** The keys that owners publish, for those who share a conversation; and the signed ledgers. */
export class KeyDirectory {
  readonly #parts: KeyParts;

  constructor(parts: KeyParts) {
    this.#parts = parts;
  }

  /**
   * @throws Refusal BAD_REQUEST (faults `identity_card`, `prekeys`), FORBIDDEN; RATE_LIMITED when an
   * agent has published too many identities
   */
  async publish(owner: Subject, body: KeysPublish): Promise<KeysState> {
    const { storage, limits } = this.#parts;
    const card = readPublishedCard(body.identity_card);
    if (card.ownerId !== owner.id) throw refusal("FORBIDDEN");
    const account = owner.type === "human" ? await storage.account(owner.id) : undefined;
    // An account is its key, and who signs in by it publishes that one.
    if (account !== undefined && account.key_id !== card.keyId) throw refusal("FORBIDDEN");
    const { signed, oneTime } = readPublishedPrekeys(body);
    const identity = identityOf(card, signed);
    const { isChanged, oneTimeLeft } = await storage.publishKeys(owner, identity, oneTime, () => {
      // Each change is sent to everybody, who fetch it, and is shown to the person.
      if (owner.type === "agent") refuseSooner(limits.keyChanges, owner.id);
    });
    const { keyId: key_id } = card;
    if (isChanged) await announceKey(this.#parts, owner.id, key_id);
    return { key_id, one_time_left: oneTimeLeft };
  }

  /** @throws Refusal NOT_FOUND before anything was published */
  async state({ id }: Subject): Promise<KeysState> {
    const keys = await this.#parts.storage.keysOf(id, id);
    if (keys === undefined) throw refusal("NOT_FOUND");
    return { key_id: keys.key_id, one_time_left: keys.oneTimeLeft };
  }

  /** @throws Refusal NOT_FOUND, RATE_LIMITED */
  async identity(asker: Subject, owner_id: string): Promise<IdentityAnswer> {
    this.#countRead(asker, owner_id);
    const keys = await this.#parts.storage.keysOf(owner_id, asker.id);
    if (keys === undefined) throw refusal("NOT_FOUND");
    return { owner_id, identity_card: toBase64(keys.identity_card) };
  }

  /**
   * The bundle that starts a session; its one-time prekey is deleted before it is handed out.
   * @throws Refusal NOT_FOUND (also while the owner has published no prekeys), RATE_LIMITED
   */
  async bundle(asker: Subject, ownerId: string): Promise<BundleAnswer> {
    const { storage, connections } = this.#parts;
    this.#countRead(asker, ownerId);
    const taken = await storage.takeBundle(ownerId, asker.id);
    if (taken === undefined) throw refusal("NOT_FOUND");
    const { identity_card: card, signedPrekey, oneTimePrekey, oneTimeLeft } = taken;
    for (const frame of lowFrames(oneTimeLeft)) connections.send(ownerId, frame);
    return { bundle: toBase64(joinBundle({ card, signedPrekey, oneTimePrekey })) };
  }

  /** The ledger, which both ends check; the hub only stores it in order. @throws Refusal NOT_FOUND */
  async ledger(asker: Subject, relationId: string, from: number): Promise<LedgerAnswer> {
    await this.#refuseStranger(asker, relationId);
    const { entries, length } = await this.#parts.storage.ledger(relationId, from);
    return { entries: entries.map(toBase64), length };
  }

  /**
   * @throws Refusal BAD_REQUEST (fault `entry`), NOT_FOUND, LEDGER_CONFLICT with `params.length` when
   * another entry has this place, or there is none left
   */
  async append(
    by: Subject,
    relationId: string,
    { index, entry }: LedgerAppend,
  ): Promise<{ readonly length: number }> {
    await this.#refuseStranger(by, relationId);
    const bytes = fromBase64(entry);
    if (bytes === undefined) throw refusal("BAD_REQUEST", { fault: "entry" });
    const { isKept, length } = await this.#parts.storage.appendLedger(relationId, index, bytes);
    if (!isKept) throw refusal("LEDGER_CONFLICT", { length });
    return { length };
  }

  /** A person fetches the keys of each agent that has new ones; none may use up the others' share. */
  #countRead({ id, type }: Subject, ownerId: string): void {
    refuseSooner(
      this.#parts.limits.keysAsked,
      type === "human" ? JSON.stringify([id, ownerId]) : id,
    );
  }

  /** A relation is visible only to its two ends. */
  async #refuseStranger({ id }: Subject, relationId: string): Promise<void> {
    const relation = await this.#parts.storage.relation(relationId);
    if (relation?.agent_id !== id && relation?.user_id !== id) throw refusal("NOT_FOUND");
  }
}

/** @param signed_prekey null: the card came with a pairing, before anything could be published */
export const identityOf = (
  { ownerId, keyId, bytes }: ReadCard,
  signed_prekey: Uint8Array | null,
): PublishedIdentity => ({ owner_id: ownerId, key_id: keyId, identity_card: bytes, signed_prekey });

/** For somebody who connects: the keys of all they may write to, and their own prekeys. */
export const keyFrames = ({ keys, oneTimeLeft }: Snapshot): readonly ServerFrame[] => [
  ...keys.map((each) => ({ type: "keys.changed", ...each }) as const),
  ...(oneTimeLeft === null ? [] : lowFrames(oneTimeLeft)),
];

/** To those who may write to this owner; who is away learns of it at the next connect. */
export async function announceKey(
  { storage, connections }: Pick<KeyParts, "storage" | "connections">,
  owner_id: string,
  key_id: string,
): Promise<void> {
  for (const other of await storage.sharingWith(owner_id)) {
    connections.send(other, { type: "keys.changed", owner_id, key_id });
  }
}

const lowFrames = (one_time_left: number): readonly ServerFrame[] =>
  one_time_left < KEY_LIMITS.oneTimeLow ? [{ type: "prekeys.low", one_time_left }] : [];

/** @throws Refusal RATE_LIMITED */
function refuseSooner(limit: RollingLimit, who: string): void {
  const retryAfterMs = limit.take(who);
  if (retryAfterMs !== undefined) throw refusal("RATE_LIMITED", retryAfter(retryAfterMs));
}

/** What the hub reads of a card. */
export interface ReadCard {
  readonly card: IdentityCard;
  readonly ownerId: string;
  /** Base64. */
  readonly keyId: string;
  /** Null in a person's. */
  readonly level: Suite | null;
  readonly bytes: Uint8Array;
}

const unreadable = (): never => {
  throw refusal("BAD_REQUEST", { fault: "identity_card" });
};

/**
 * A card's owner and key, checked as those who rely on it check it.
 * @throws Refusal BAD_REQUEST, fault `identity_card`
 */
export function readPublishedCard(text: string): ReadCard {
  const bytes = fromBase64(text) ?? unreadable();
  try {
    const card = readCard(nodePrimitives, bytes);
    const { ownerId, keyId, level } = card;
    return { card, ownerId, keyId: toBase64(keyId), level, bytes };
  } catch (error) {
    if (encryptionError.is(error)) unreadable();
    throw error;
  }
}

/** @throws Refusal BAD_REQUEST, fault `prekeys` */
function readPublishedPrekeys({ signed_prekey, one_time_prekeys }: KeysPublish) {
  return {
    signed: bytesOf(signed_prekey, SIGNED_PREKEY_BYTES),
    oneTime: one_time_prekeys.map((text) => bytesOf(text, ONE_TIME_PREKEY_BYTES)),
  };
}

function bytesOf(text: string, length: number): Uint8Array {
  const bytes = fromBase64(text);
  if (bytes?.length !== length) throw refusal("BAD_REQUEST", { fault: "prekeys" });
  return bytes;
}
