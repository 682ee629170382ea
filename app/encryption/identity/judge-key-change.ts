import { equalBytes } from "../bytes/compare-bytes.ts";
import type { IdentityCard } from "./identity-card.ts";

/** What is remembered of the other end: its key, and whether the person compared the number. */
export interface KnownKey {
  readonly ownerId: string;
  readonly keyId: Uint8Array;
  readonly verified: boolean;
}

/**
 * `new`: nothing was known, it may be remembered unverified. `changed`: nothing is sent to it and
 * nothing from it counts until the person has seen it; `wasVerified` says how loudly to say so.
 */
export type KeyChange =
  | { readonly kind: "new" }
  | { readonly kind: "same"; readonly verified: boolean }
  | { readonly kind: "changed"; readonly wasVerified: boolean }
  | { readonly kind: "other_owner" };

export function judgeKeyChange(known: KnownKey | null, card: IdentityCard): KeyChange {
  if (known === null) return { kind: "new" };
  if (known.ownerId !== card.ownerId) return { kind: "other_owner" };
  if (equalBytes(known.keyId, card.keyId)) return { kind: "same", verified: known.verified };
  return { kind: "changed", wasVerified: known.verified };
}
