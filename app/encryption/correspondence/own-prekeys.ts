import { encodeCard } from "../identity/identity-card.ts";
import { dropPrekeys, planPrekeys } from "../x3dh/plan-prekeys.ts";
import { encodeOneTimePrekey, encodeSignedPrekey } from "../x3dh/prekey-bundle.ts";
import { addOneTimePrekeys, addSignedPrekey } from "../x3dh/prekeys.ts";
import type { Cabinet } from "./cabinet.ts";
import type { CorrespondencePorts, PublishedKeys } from "./ports.ts";

/**
 * Creates the prekeys that the hub lacks, and keeps their private halves.
 * @param left one-time prekeys at the hub; null if it has no keys of ours
 * @returns what to publish; null if nothing
 */
export function replenished(
  { crypto, identity, now }: Pick<CorrespondencePorts, "crypto" | "identity" | "now">,
  cabinet: Cabinet,
  left: number | null,
): { readonly keys: PublishedKeys; readonly durable: Promise<void> } | null {
  const plan = planPrekeys(cabinet.prekeys, left ?? 0, now());
  if (left !== null && !plan.addSigned && plan.addOneTime === 0) return null;
  let prekeys = dropPrekeys(cabinet.prekeys, plan);
  if (plan.addSigned) prekeys = addSignedPrekey(crypto, identity, prekeys, now());
  const before = prekeys.oneTime.length;
  prekeys = addOneTimePrekeys(crypto, identity, prekeys, plan.addOneTime);
  const { durable } = cabinet.stage({ prekeys });
  const newest = prekeys.signed.at(-1);
  if (newest === undefined) return null;
  const keys = {
    card: encodeCard(identity.card),
    signedPrekey: encodeSignedPrekey(newest),
    oneTimePrekeys: prekeys.oneTime.slice(before).map(encodeOneTimePrekey),
  };
  return { keys, durable };
}
