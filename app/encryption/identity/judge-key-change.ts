import { equalBytes } from "../bytes/compare-bytes.ts";
import type { IdentityCard } from "./identity-card.ts";

/**
 * What is remembered about the other end: its key, and whether the person compared the safety
 * number.
 */
export interface KnownKey {
  readonly ownerId: string;
  readonly keyId: Uint8Array;
  readonly verified: boolean;
}

/**
 * `new`: no key was known, so this one may be remembered as unverified. `changed`: nothing is sent
 * or accepted until the person has seen it; `wasVerified` says how urgent the warning is.
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
