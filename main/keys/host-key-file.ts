import { ByteReader } from "../../app/encryption/bytes/byte-reader.ts";
import { ByteWriter } from "../../app/encryption/bytes/byte-writer.ts";
import { equalBytes } from "../../app/encryption/bytes/compare-bytes.ts";
import { joinBytes } from "../../app/encryption/bytes/join-bytes.ts";
import { type CryptoPrimitives, SIZES } from "../../app/encryption/crypto-primitives.ts";
import { label } from "../../app/encryption/labels.ts";
import { KeyError } from "./key-error.ts";

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
  if (end < 0) throw new KeyError("host_key_damaged");
  const content = bytes.slice(0, end);
  const holds = equalBytes(crypto.sha256(content), bytes.subarray(end));
  const file = holds ? parsed(content) : null;
  if (file === null) throw new KeyError("host_key_damaged");
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
