import { createHash } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as realPause } from "node:timers/promises";
import { KeyJournal } from "./key-journal.ts";
import { createOwnFile, makeOwnFolder, readOwnFile, replaceOwnFile } from "./own-file.ts";
import { ProcessLock } from "./process-lock.ts";

export interface KeyFilePlace {
  readonly home?: string;
  /** Waits for a number of milliseconds. */
  readonly pause?: (ms: number) => Promise<void>;
}

/**
 * Where an agent's keys are stored unless its program stores them: `~/.hashee/<agent id>/keys`.
 * Locked by this process until closed: two processes would use the same keys for different
 * messages.
 * @throws InUseError
 */
export async function agentKeyFile(
  agentId: string,
  { home = homedir(), pause = (ms) => realPause(ms) }: KeyFilePlace = {},
): Promise<KeyJournal> {
  const folder = agentFolder(agentId, home);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let lost = () => {};
  const lock = await ProcessLock.take(join(folder, "keys.lock"), () => lost(), pause);
  const journal = new KeyJournal(agentKeyPath(agentId, home), () => lock.release());
  lost = () => journal.fail();
  return journal;
}

export const agentKeyPath = (agentId: string, home?: string): string =>
  join(agentFolder(agentId, home), "keys");

/** Longer names of folders are refused by some file systems. */
const FOLDER_NAME_CHARS = 200;

/** Where something of an agent's is kept, by its id or name. No name leads out of it. */
function agentFolder(idOrName: string, home = homedir()): string {
  const name = encodeURIComponent(idOrName.toWellFormed()).replaceAll(".", "%2E");
  const digest = () => createHash("sha256").update(idOrName).digest("hex");
  return join(home, ".hashee", name.length > FOLDER_NAME_CHARS ? digest() : name);
}

const FILE_BYTES = 1_048_576;

/**
 * Where an agent's credentials are stored: `~/.hashee/<name>/credentials.json`, 0600 in a folder 0700.
 * All of it throws OwnFileError, or what the file system throws.
 */
export class AgentCredentialsFile {
  readonly path: string;

  constructor(name: string, home?: string) {
    this.path = join(agentFolder(name, home), "credentials.json");
  }

  get exists(): boolean {
    return existsSync(this.path);
  }

  /** Null if there is none. */
  read(): string | null {
    const bytes = readOwnFile(this.path, FILE_BYTES);
    return bytes && new TextDecoder().decode(bytes);
  }

  /** Makes the folder, and finds out whether a file can be made in it. */
  prepare(): void {
    makeOwnFolder(dirname(this.path));
    accessSync(dirname(this.path), constants.W_OK);
  }

  /** Fails if the file exists, unless it replaces it. */
  write(text: string, replaces: boolean): void {
    if (replaces) replaceOwnFile(this.path, text, true);
    else createOwnFile(this.path, text);
  }
}
