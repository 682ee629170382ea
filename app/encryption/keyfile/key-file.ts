import { argon2id } from "@noble/hashes/argon2.js";
import { ByteReader, ByteWriter, equalBytes, joinBytes, utf8 } from "../bytes.ts";
import { type CryptoPrimitives, label, SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { type Identity, identityFrom } from "../identity/identity.ts";

/** Argon2id's cost (RFC 9106 §4, second choice, three passes); `m` in KiB. */
export const PASSWORD_COST = { m: 65_536, t: 3, p: 4 } as const;
const ARGON2_SALT_BYTES = 32;

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

const FORM_VERSION = 1;
/** What the file is for: a file with one purpose is refused for another. */
const REST_PURPOSES = {
  identity: 1,
  backup: 2,
  hostKey: 5,
} as const;
export type RestPurpose = keyof typeof REST_PURPOSES;

const BY_HOST_KEY = 1;
const BY_PASSWORD = 2;

/** A key kept by the host (in Electron by safeStorage), or a password the person remembers. */
export type Protection =
  /** 32 random bytes */
  | { readonly kind: "host_key"; readonly key: Uint8Array }
  | {
      readonly kind: "password";
      readonly password: string;
      readonly deriveKey: DerivePasswordKey;
    };

/** Encrypts data for storage (docs/encryption.md, "Key files"). */
export async function sealAtRest(
  crypto: CryptoPrimitives,
  purpose: RestPurpose,
  protection: Protection,
  secret: Uint8Array,
): Promise<Uint8Array> {
  const writer = new ByteWriter().raw(label("keyFile")).u8(FORM_VERSION);
  writer.u8(REST_PURPOSES[purpose]);
  const salt = crypto.randomBytes(ARGON2_SALT_BYTES);
  if (protection.kind === "host_key") writer.u8(BY_HOST_KEY);
  else writer.u8(BY_PASSWORD).raw(costBytes).raw(salt);
  const nonce = crypto.randomBytes(SIZES.nonce);
  const head = writer.raw(nonce).done();
  const key = await keyOf(protection, salt);
  const body = joinBytes(head, crypto.aesGcmEncrypt(key, nonce, secret, head));
  return joinBytes(body, crypto.sha256(body));
}

/**
 * @throws EncryptionError `corrupt_state` if the file is damaged, truncated, or made for another
 * purpose or protection; `wrong_password`, `wrong_host_key`
 */
export async function openAtRest(
  crypto: CryptoPrimitives,
  purpose: RestPurpose,
  protection: Protection,
  stored: Uint8Array,
): Promise<Uint8Array> {
  const body = withoutChecksum(crypto, stored);
  const reader = new ByteReader(body, "corrupt_state");
  const salt = readHead(reader, purpose, protection);
  const nonce = reader.fixed(SIZES.nonce);
  const head = body.slice(0, reader.position);
  const key = await keyOf(protection, salt);
  const secret = crypto.aesGcmDecrypt(key, nonce, reader.rest(), head);
  return secret ?? refuse(protection.kind === "password" ? "wrong_password" : "wrong_host_key");
}

/**
 * Only one cost is written and accepted: a file cannot ask for a lower one, or for all our memory.
 */
const costBytes = new ByteWriter()
  .u32(PASSWORD_COST.m)
  .u32(PASSWORD_COST.t)
  .u32(PASSWORD_COST.p)
  .done();

function readHead(reader: ByteReader, purpose: RestPurpose, protection: Protection): Uint8Array {
  const magic = label("keyFile");
  if (!equalBytes(reader.fixed(magic.length), magic)) reader.refuse();
  if (reader.u8() !== FORM_VERSION) refuse("unsupported_version");
  if (reader.u8() !== REST_PURPOSES[purpose]) reader.refuse();
  const byPassword = protection.kind === "password";
  if (reader.u8() !== (byPassword ? BY_PASSWORD : BY_HOST_KEY)) reader.refuse();
  if (!byPassword) return new Uint8Array(0);
  if (!equalBytes(reader.fixed(costBytes.length), costBytes)) reader.refuse();
  return reader.fixed(ARGON2_SALT_BYTES);
}

/** Distinguishes damage from a wrong password; it is no protection. */
function withoutChecksum(crypto: CryptoPrimitives, stored: Uint8Array): Uint8Array {
  const end = stored.length - SIZES.hash;
  if (end < 0) refuse("corrupt_state");
  const body = stored.slice(0, end);
  if (!equalBytes(crypto.sha256(body), stored.subarray(end))) refuse("corrupt_state");
  return body;
}

const keyOf = async (protection: Protection, salt: Uint8Array): Promise<Uint8Array> =>
  protection.kind === "host_key" ? protection.key : protection.deriveKey(protection.password, salt);

/** `identity` stays on this machine, `backup` leaves it. */
type IdentityFilePurpose = "identity" | "backup";

export function writeIdentityFile(
  crypto: CryptoPrimitives,
  purpose: IdentityFilePurpose,
  protection: Protection,
  { card, signing, agreement }: Identity,
): Promise<Uint8Array> {
  const secret = new ByteWriter()
    .text(card.ownerId)
    .fixed(signing.privateKey, SIZES.key)
    .fixed(agreement.privateKey, SIZES.key)
    .done();
  return sealAtRest(crypto, purpose, protection, secret);
}

/** @throws EncryptionError as `openAtRest` does */
export async function readIdentityFile(
  crypto: CryptoPrimitives,
  purpose: IdentityFilePurpose,
  protection: Protection,
  stored: Uint8Array,
): Promise<Identity> {
  const secret = await openAtRest(crypto, purpose, protection, stored);
  const reader = new ByteReader(secret, "corrupt_state");
  const ownerId = reader.text();
  const signingPrivate = reader.fixed(SIZES.key);
  const agreementPrivate = reader.fixed(SIZES.key);
  reader.end();
  return identityFrom(crypto, { ownerId, signingPrivate, agreementPrivate });
}
