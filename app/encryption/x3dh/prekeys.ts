import { ByteWriter } from "../bytes/byte-writer.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { type CryptoPrimitives, type KeyPair, SIZES } from "../crypto-primitives.ts";
import type { Identity } from "../identity/identity.ts";
import type { IdentityCard } from "../identity/identity-card.ts";
import { label } from "../labels.ts";

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

export type Owned<Prekey> = Prekey & { readonly privateKey: Uint8Array };

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
