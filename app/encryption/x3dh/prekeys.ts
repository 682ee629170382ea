import { ByteReader, ByteWriter, joinBytes } from "../bytes.ts";
import {
  type CryptoPrimitives,
  checkedBody,
  type KeyPair,
  label,
  SIZES,
  withChecksum,
} from "../crypto-primitives.ts";
import type { Identity, IdentityCard } from "../identity/identity.ts";

/** X3DH §2.4: a prekey as published. `createdAt` in ms since the epoch. */
export interface SignedPrekey {
  readonly id: number;
  readonly createdAt: number;
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}

/** Signed, unlike in X3DH: a substituted one is refused before anything is sent. */
export interface OneTimePrekey {
  readonly id: number;
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}

type Owned<Prekey> = Prekey & { readonly privateKey: Uint8Array };

/** Everything this end has published and not yet deleted. */
export interface PrekeyStore {
  readonly signed: readonly Owned<SignedPrekey>[];
  readonly oneTime: readonly Owned<OneTimePrekey>[];
  /** Ids are never reused. */
  readonly nextId: number;
}

export const EMPTY_PREKEYS: PrekeyStore = { signed: [], oneTime: [], nextId: 1 };

/**
 * X3DH §3.2 `Sig(IK_B, Encode(SPK_B))`, extended by owner, id and time so that none can be swapped.
 */
export const signedPrekeyStatement = (
  { keyId }: IdentityCard,
  { id, createdAt, publicKey }: Omit<SignedPrekey, "signature">,
): Uint8Array =>
  joinBytes(
    label("signedPrekey"),
    new ByteWriter().raw(keyId).u32(id).u64(createdAt).fixed(publicKey, SIZES.key).done(),
  );

export const oneTimePrekeyStatement = (
  { keyId }: IdentityCard,
  { id, publicKey }: Omit<OneTimePrekey, "signature">,
): Uint8Array =>
  joinBytes(
    label("oneTimePrekey"),
    new ByteWriter().raw(keyId).u32(id).fixed(publicKey, SIZES.key).done(),
  );

export function addSignedPrekey(
  crypto: CryptoPrimitives,
  { card, signing }: Identity,
  store: PrekeyStore,
  createdAt: number,
): PrekeyStore {
  const prekey = { id: store.nextId, createdAt, ...crypto.x25519Pair() };
  const statement = signedPrekeyStatement(card, prekey);
  const signature = crypto.ed25519Sign(signing.privateKey, statement);
  return { ...store, signed: [...store.signed, { ...prekey, signature }], nextId: prekey.id + 1 };
}

export function addOneTimePrekeys(
  crypto: CryptoPrimitives,
  identity: Identity,
  store: PrekeyStore,
  count: number,
): PrekeyStore {
  const added: Owned<OneTimePrekey>[] = [];
  for (let at = 0; at < count; at += 1) {
    const pair = crypto.x25519Pair();
    added.push(signOneTimePrekey(crypto, identity, store.nextId + at, pair));
  }
  return { ...store, oneTime: [...store.oneTime, ...added], nextId: store.nextId + count };
}

function signOneTimePrekey(
  crypto: CryptoPrimitives,
  { card, signing }: Identity,
  id: number,
  pair: KeyPair,
): Owned<OneTimePrekey> {
  const statement = oneTimePrekeyStatement(card, { id, publicKey: pair.publicKey });
  return { id, ...pair, signature: crypto.ed25519Sign(signing.privateKey, statement) };
}

/** X3DH §3.4: a one-time prekey is deleted as soon as a message that used it was opened. */
export const withoutOneTimePrekey = (store: PrekeyStore, id: number): PrekeyStore => ({
  ...store,
  oneTime: store.oneTime.filter((prekey) => prekey.id !== id),
});

const DAY_MS = 24 * 3_600_000;

export const PREKEY_RULES = {
  /**
   * A new signed prekey is published when the newest one is this old (X3DH §3.2: "once a week").
   */
  renewSignedAfterMs: 7 * DAY_MS,
  /** A replaced signed prekey is kept for messages still on the way, then deleted (X3DH §4.7). */
  keepReplacedMs: 30 * DAY_MS,
  /** No session is begun with a signed prekey older than this: it may have been stolen. */
  refuseAfterMs: 90 * DAY_MS,
  /** One-time prekeys at the hub: when fewer than `low` are left, they are topped up to `full`. */
  oneTimeLow: 20,
  oneTimeFull: 100,
  /** Private one-time prekeys kept, including those given out; the oldest are deleted first. */
  oneTimeKept: 400,
} as const;

interface PrekeyPlan {
  readonly addSigned: boolean;
  readonly dropSigned: readonly number[];
  readonly addOneTime: number;
  readonly dropOneTime: readonly number[];
}

/**
 * What to publish and what to delete now.
 * @param atHub how many one-time prekeys the hub says it has left. It may lie, but only gains
 * sessions that begin without one, and it can get those by withholding them too (X3DH §4.7).
 */
export function planPrekeys(store: PrekeyStore, atHub: number, now: number): PrekeyPlan {
  const newest = Math.max(...store.signed.map(({ createdAt }) => createdAt));
  const addOneTime = atHub < PREKEY_RULES.oneTimeLow ? PREKEY_RULES.oneTimeFull - atHub : 0;
  const excess = store.oneTime.length + addOneTime - PREKEY_RULES.oneTimeKept;
  return {
    addSigned: !(now - newest < PREKEY_RULES.renewSignedAfterMs) || newest > now,
    dropSigned: replacedLongAgo(store, now),
    addOneTime,
    dropOneTime: store.oneTime.slice(0, Math.max(0, excess)).map(({ id }) => id),
  };
}

/** Ids of signed prekeys replaced more than `keepReplacedMs` ago. The newest is never replaced. */
function replacedLongAgo({ signed }: PrekeyStore, now: number): readonly number[] {
  return signed
    .filter((_, at) => {
      const successor = signed[at + 1];
      return successor !== undefined && now - successor.createdAt > PREKEY_RULES.keepReplacedMs;
    })
    .map(({ id }) => id);
}

export function dropPrekeys(store: PrekeyStore, plan: PrekeyPlan): PrekeyStore {
  return {
    ...store,
    signed: store.signed.filter(({ id }) => !plan.dropSigned.includes(id)),
    oneTime: store.oneTime.filter(({ id }) => !plan.dropOneTime.includes(id)),
  };
}

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
