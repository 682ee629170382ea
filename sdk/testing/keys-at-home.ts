import type { MemoryRecords } from "../../app/encryption/testing/correspondents.ts";
import { agentKeyFile } from "../../crypto/agent-key-file.ts";

/** Puts an agent's keys where a program of its own, with this home folder, finds them. */
export async function keysAtHome(
  { stored }: MemoryRecords,
  agentId: string,
  home: string,
): Promise<void> {
  const file = await agentKeyFile(agentId, { home });
  await file.save(stored);
  await file.close();
}

/** The environment that gives a program another home folder. */
export const homeEnv = (home: string) => ({ HOME: home, USERPROFILE: home });
