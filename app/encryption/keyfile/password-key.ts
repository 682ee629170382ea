import { argon2id } from "@noble/hashes/argon2.js";
import { utf8 } from "../bytes/text-bytes.ts";
import { SIZES } from "../crypto-primitives.ts";

/** Argon2id's cost (RFC 9106 §4, second choice, three passes); `m` in KiB. */
export const PASSWORD_COST = { m: 65_536, t: 3, p: 4 } as const;
export const ARGON2_SALT_BYTES = 32;

/** May run in a worker: it takes seconds and 64 MiB. */
export type DerivePasswordKey = (
  password: string,
  salt: Uint8Array,
) => Uint8Array | Promise<Uint8Array>;

/**
 * Derives a key from a password. NFKC first, so that the same word typed on another keyboard or
 * system is the same password.
 */
export const derivePasswordKey = (password: string, salt: Uint8Array): Uint8Array =>
  argon2id(utf8(password.normalize("NFKC")), salt, { ...PASSWORD_COST, dkLen: SIZES.key });
