import { toBase64 } from "../../app/contract/base64.ts";
import { createIdentity, encodeCard, type Suite } from "../../app/encryption/identity/identity.ts";
import {
  addOneTimePrekeys,
  addSignedPrekey,
  EMPTY_PREKEYS,
} from "../../app/encryption/x3dh/prekeys.ts";
import { encodeOneTimePrekey, encodeSignedPrekey } from "../../app/encryption/x3dh/x3dh.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";

export const NOW = 1_800_000_000_000;

/** An owner's keys, as they are published. */
export async function keysOf(ownerId: string, oneTime = 2, level: Suite | null = null) {
  const identity = await createIdentity(crypto, ownerId, level);
  const signed = await addSignedPrekey(crypto, identity, EMPTY_PREKEYS, NOW);
  const prekeys = await addOneTimePrekeys(crypto, identity, signed, oneTime);
  return {
    identity,
    prekeys,
    keyId: toBase64(identity.card.keyId),
    body: {
      identity_card: toBase64(encodeCard(identity.card)),
      signed_prekey: toBase64(prekeys.signed.map(encodeSignedPrekey)[0] ?? new Uint8Array(0)),
      one_time_prekeys: prekeys.oneTime.map(encodeOneTimePrekey).map(toBase64),
    },
  };
}
