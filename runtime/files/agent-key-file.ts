import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as realPause } from "node:timers/promises";
import { KeyJournal } from "./key-journal.ts";
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
  const journal = new KeyJournal(join(folder, "keys"), () => lock.release());
  lost = () => journal.fail();
  return journal;
}

/** Longer names of folders are refused by some file systems. */
const FOLDER_NAME_CHARS = 200;

/** Where something of an agent's is kept, by its id or name. No name leads out of it. */
export function agentFolder(idOrName: string, home = homedir()): string {
  const name = encodeURIComponent(idOrName.toWellFormed()).replaceAll(".", "%2E");
  const digest = () => createHash("sha256").update(idOrName).digest("hex");
  return join(home, ".hashee", name.length > FOLDER_NAME_CHARS ? digest() : name);
}
