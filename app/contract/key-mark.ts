/**
 * How an agent's key is identified (contract §9). Only a key that is known and not in doubt has a
 * fingerprint. `none`: a program on this computer, which needs no key; it proves itself by its token.
 */
export type KeyMark =
  | { readonly kind: "known"; readonly fingerprint: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" }
  | { readonly kind: "in_doubt" };
