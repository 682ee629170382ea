import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { assertNever } from "../../app/contract/assert-never.ts";
import { type CryptoPrimitives, SIZES } from "../../app/encryption/crypto-primitives.ts";
import { encryptionError } from "../../app/encryption/encryption-error.ts";
import {
  type DerivePasswordKey,
  openAtRest,
  sealAtRest,
} from "../../app/encryption/keyfile/key-file.ts";
import { readOwnFile } from "../../runtime/files/own-file.ts";
import {
  checkOf,
  encodeHostKeyFile,
  HOST_KEY_FILE_BYTES,
  type HostKey,
  type HostKeyFile,
  type HostKeyForm,
  hostKeyFrom,
  readHostKeyFile,
} from "./host-key.ts";
import { keyError, keyFileWork, writeKeyFile } from "./key-error.ts";

export const HOST_KEY_FILE = "host.key";

/** The system's key store, such as Electron's safeStorage. */
export interface KeyVault {
  /** False: there is none, or none that protects anything. */
  available(): Promise<boolean>;
  wrap(key: Uint8Array): Promise<Uint8Array>;
  /** Null if it does not return the key; `stale` if it asks to wrap it again. */
  unwrap(
    wrapped: Uint8Array,
  ): Promise<{ readonly key: Uint8Array; readonly stale: boolean } | null>;
}

/** Where the passphrase that opens the key comes from. */
export interface PassphraseSource {
  /**
   * From `--passphrase-file`; null: none. If given, it also protects a key that had no passphrase.
   */
  readonly given: string | null;
  /** Asks on the terminal, again after a wrong one; null: nobody can be asked. */
  readonly ask: ((attempt: number) => Promise<string>) | null;
}

export interface HostKeyOptions {
  /** Must exist. */
  readonly dataDir: string;
  /** `checkOf` the key that existing data is encrypted with; null: there is no such data. */
  readonly noted: string | null;
  readonly crypto: CryptoPrimitives;
  readonly vault: KeyVault | null;
  readonly passphrase: PassphraseSource;
  readonly deriveKey: DerivePasswordKey;
}

export interface OpenedHostKey {
  readonly key: HostKey;
  readonly form: HostKeyForm;
}

const ATTEMPTS = 3;

/**
 * Opens the data folder's `host.key`, or creates one if nothing was ever encrypted under any. A
 * missing, damaged or different key is an error, and is never replaced.
 * @throws KeyError
 */
export async function openHostKey(options: HostKeyOptions): Promise<OpenedHostKey> {
  const stored = await onDisk(async () => readOwnFile(pathOf(options), HOST_KEY_FILE_BYTES));
  if (stored !== null) {
    return openFile(options, readHostKeyFile(options.crypto, stored));
  }
  if (options.noted !== null) throw keyError("host_key_missing");
  const bytes = options.crypto.randomBytes(SIZES.key);
  const form = await formWanted(options);
  await store(options, form, bytes);
  return { key: hostKeyFrom(bytes), form };
}

async function openFile(options: HostKeyOptions, file: HostKeyFile): Promise<OpenedHostKey> {
  const { bytes, stale } = await unprotect(options, file);
  if (bytes.length !== SIZES.key) throw keyError("host_key_damaged");
  const key = hostKeyFrom(bytes);
  if (options.noted !== null && options.noted !== checkOf(key)) throw keyError("host_key_wrong");
  const form = options.passphrase.given === null ? file.form : "passphrase";
  if (stale || form !== file.form) await store(options, form, bytes);
  return { key, form };
}

const pathOf = ({ dataDir }: HostKeyOptions): string => join(dataDir, HOST_KEY_FILE);

/** For a newly created key. Later it stays the same, unless a passphrase is given. */
async function formWanted({ passphrase, vault }: HostKeyOptions): Promise<HostKeyForm> {
  if (passphrase.given !== null) return "passphrase";
  return vault !== null && (await vault.available()) ? "system" : "plain";
}

async function store(options: HostKeyOptions, form: HostKeyForm, key: Uint8Array): Promise<void> {
  const body = await protect(options, form, key);
  const bytes = encodeHostKeyFile(options.crypto, { form, body });
  await onDisk(() => writeKeyFile(pathOf(options), bytes));
}

async function protect(
  { vault, crypto, passphrase, deriveKey }: HostKeyOptions,
  form: HostKeyForm,
  key: Uint8Array,
): Promise<Uint8Array> {
  switch (form) {
    case "plain":
      return key;
    case "system":
      if (vault === null) throw keyError("host_key_elsewhere");
      return vault.wrap(key);
    case "passphrase": {
      const password = passphrase.given;
      if (password === null) throw keyError("passphrase_needed");
      return sealAtRest(crypto, "hostKey", { kind: "password", password, deriveKey }, key);
    }
    default:
      return assertNever(form);
  }
}

interface Unprotected {
  readonly bytes: Uint8Array;
  readonly stale: boolean;
}

async function unprotect(options: HostKeyOptions, file: HostKeyFile): Promise<Unprotected> {
  switch (file.form) {
    case "plain":
      return { bytes: file.body, stale: false };
    case "system":
      return fromVault(options.vault, file.body);
    case "passphrase":
      return { bytes: await underPassphrase(options, file.body), stale: false };
    default:
      return assertNever(file.form);
  }
}

async function fromVault(vault: KeyVault | null, wrapped: Uint8Array): Promise<Unprotected> {
  if (vault === null) throw keyError("host_key_elsewhere");
  const opened = (await vault.available()) ? await vault.unwrap(wrapped) : null;
  if (opened === null) throw keyError("host_key_locked");
  return { bytes: opened.key, stale: opened.stale };
}

async function underPassphrase(options: HostKeyOptions, body: Uint8Array): Promise<Uint8Array> {
  const { given, ask } = options.passphrase;
  if (given !== null) return tried(options, body, given);
  if (ask === null) throw keyError("passphrase_needed");
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tried(options, body, await ask(attempt));
    } catch (error) {
      const again = keyError.is(error) && error.code === "passphrase_wrong";
      if (!again || attempt === ATTEMPTS) throw error;
    }
  }
}

async function tried(
  { crypto, deriveKey }: HostKeyOptions,
  body: Uint8Array,
  password: string,
): Promise<Uint8Array> {
  try {
    return await openAtRest(crypto, "hostKey", { kind: "password", password, deriveKey }, body);
  } catch (error) {
    if (!encryptionError.is(error)) throw error;
    const wrong = error.code === "wrong_password";
    throw keyError(wrong ? "passphrase_wrong" : "host_key_damaged", { cause: error });
  }
}

const onDisk = <T>(work: () => Promise<T>): Promise<T> => keyFileWork("host_key_damaged", work);

const LONGEST = 1_024;

/** The streams of a terminal, or replacements. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Where the passphrase comes from at this start: the first line of a file, or else the terminal.
 * @param file from `--passphrase-file`
 * @param terminal null: there is none
 * @throws KeyError `passphrase_unusable`
 */
export async function passphraseSource(
  file: string | null,
  terminal: Terminal | null,
): Promise<PassphraseSource> {
  const ask = terminal?.input.isTTY === true ? askingOn(terminal) : null;
  return { given: file === null ? null : await firstLineOf(file), ask };
}

async function firstLineOf(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw keyError("passphrase_unusable", { cause: error });
  });
  const [line = ""] = text.split(/\r?\n/u, 1);
  if (line === "" || line.length > LONGEST) throw keyError("passphrase_unusable");
  return line;
}

/** What is typed is not displayed. Ctrl-C or Ctrl-D cancels. */
const askingOn =
  ({ input, output }: Terminal) =>
  (attempt: number): Promise<string> => {
    const again = attempt > 1 ? "That is not it. " : "";
    output.write(`${again}Passphrase of the data folder: `);
    const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
    const line = createInterface({ input, output: unseen, terminal: true });
    return new Promise<string>((resolve, reject) => {
      line.once("line", resolve);
      line.once("SIGINT", () => line.close());
      line.once("close", () => reject(keyError("passphrase_needed")));
    }).finally(() => {
      line.close();
      output.write("\n");
    });
  };
