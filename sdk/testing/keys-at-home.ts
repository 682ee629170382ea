import type { MemoryRecords } from "../../app/encryption/testing/correspondents.ts";
import { AgentCredentialsFile, agentKeyFile } from "../../runtime/files/agent-files.ts";
import { CredentialsStore, type StoredCredentials } from "../credentials.ts";

/** Puts an agent's keys and credentials where a program of its own, with this home folder, finds them. */
export async function agentAtHome(
  name: string,
  { credentials, keyStore }: { credentials: StoredCredentials; keyStore: MemoryRecords },
  home: string,
): Promise<void> {
  const file = await agentKeyFile(credentials.agentId, { home });
  await file.save(keyStore.stored);
  await file.close();
  const store = new CredentialsStore(new AgentCredentialsFile(name, home), false);
  store.prepare();
  store.store(credentials);
}

/** The environment that gives a program another home folder. */
export const homeEnv = (home: string) => ({ HOME: home, USERPROFILE: home });
