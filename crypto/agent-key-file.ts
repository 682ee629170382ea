import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { KeyJournal } from "./key-journal.ts";

/** Where an agent's keys lie unless its program keeps them: `~/.hashee/<agent id>/keys`. */
export async function agentKeyFile(agentId: string, home: string = homedir()): Promise<KeyJournal> {
  const folder = join(home, ".hashee", encodeURIComponent(agentId).replaceAll(".", "%2E"));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return new KeyJournal(join(folder, "keys"));
}
