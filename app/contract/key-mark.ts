/**
 * By what an agent's key is told apart (contract §9). Only a key that is known, and that no other
 * one contradicts, has a fingerprint.
 */
export type KeyMark =
  | { readonly kind: "known"; readonly fingerprint: string }
  | { readonly kind: "unknown" }
  | { readonly kind: "in_doubt" };
