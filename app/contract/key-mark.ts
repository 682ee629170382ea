/**
 * How an agent's key is identified (contract §9). Only a key that is known and not in doubt has a
 * fingerprint.
 */
export type KeyMark =
  | { readonly kind: "known"; readonly fingerprint: string }
  | { readonly kind: "unknown" }
  | { readonly kind: "in_doubt" };
