import { hkdfSync } from "node:crypto";
import { ByteReader, ByteWriter, equalBytes, joinBytes } from "../../app/encryption/bytes.ts";
import { type CryptoPrimitives, label, SIZES } from "../../app/encryption/crypto-primitives.ts";
import type { Protection } from "../../app/encryption/keyfile/key-file.ts";
import { keyError } from "./key-error.ts";

/** What keys are derived for; listed in docs/encryption.md, "Host key". */
const HOST_KEY_USES = [
  /** To recognize the key again; stored in the clear beside what it protects. */
  "check",
  /**
   * Sessions, prekeys, opened envelopes and everything else that an end of the encryption
   * remembers.
   */
  "key state",
  /** Stored messages. */
  "conversations",
  /** Digests of what calls are about, beside the log. */
  "log subjects",
  /** What calls were about, beside the log. */
  "call targets",
  /** What was in files before agents changed them. */
  "kept files",
  /** What the person typed and a system's vault does not keep, such as a provider's key. */
  "secrets",
] as const;
type HostKeyUse = (typeof HOST_KEY_USES)[number];

/** This installation's key; every secret on the disk is encrypted under it. */
export interface HostKey {
  /** Only for key files (docs/encryption.md, "Key files"). */
  readonly protection: Protection & { readonly kind: "host_key" };
  /** 32 bytes for this use only, the same at every start. */
  keyFor(use: HostKeyUse): Uint8Array;
}

/** @param bytes 32 random bytes */
export function hostKeyFrom(bytes: Uint8Array): HostKey {
  return {
    protection: { kind: "host_key", key: bytes },
    keyFor: (use) => {
      const info = joinBytes(label("hostKeyUse"), new ByteWriter().text(use).done());
      return new Uint8Array(hkdfSync("sha256", bytes, new Uint8Array(0), info, SIZES.key));
    },
  };
}

/** A check value, stored to notice if the key is replaced. */
export const checkOf = (key: HostKey): string => Buffer.from(key.keyFor("check")).toString("hex");

const FORM_VERSION = 1;

/**
 * How the key is stored in its file: plain, wrapped by the system, or encrypted with a passphrase.
 */
const HOST_KEY_FORMS = { plain: 1, system: 2, passphrase: 3 } as const;
export type HostKeyForm = keyof typeof HOST_KEY_FORMS;

export interface HostKeyFile {
  readonly form: HostKeyForm;
  /** The key; the system's wrapped form of it; or a key file under a password. */
  readonly body: Uint8Array;
}

/** Maximum size of the file in bytes: a system's wrapped form may be long. */
export const HOST_KEY_FILE_BYTES = 16_384;

export function encodeHostKeyFile(
  crypto: CryptoPrimitives,
  { form, body }: HostKeyFile,
): Uint8Array {
  const content = new ByteWriter()
    .raw(label("hostKey"))
    .u8(FORM_VERSION)
    .u8(HOST_KEY_FORMS[form])
    .bytes16(body)
    .done();
  return joinBytes(content, crypto.sha256(content));
}

/** @throws KeyError `host_key_damaged` for anything that `encodeHostKeyFile` would not create */
export function readHostKeyFile(crypto: CryptoPrimitives, bytes: Uint8Array): HostKeyFile {
  const end = bytes.length - SIZES.hash;
  if (end < 0) throw keyError("host_key_damaged");
  const content = bytes.slice(0, end);
  const holds = equalBytes(crypto.sha256(content), bytes.subarray(end));
  const file = holds ? parsed(content) : null;
  if (file === null) throw keyError("host_key_damaged");
  return file;
}

function parsed(content: Uint8Array): HostKeyFile | null {
  const magic = label("hostKey");
  try {
    const reader = new ByteReader(content);
    if (!equalBytes(reader.fixed(magic.length), magic)) return null;
    if (reader.u8() !== FORM_VERSION) return null;
    const form = formOf(reader.u8());
    const body = reader.bytes16();
    reader.end();
    return form === undefined ? null : { form, body };
  } catch {
    return null;
  }
}

const formOf = (byte: number): HostKeyForm | undefined =>
  (Object.keys(HOST_KEY_FORMS) as HostKeyForm[]).find((form) => HOST_KEY_FORMS[form] === byte);
