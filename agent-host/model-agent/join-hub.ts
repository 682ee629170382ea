import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ModelOrder } from "../../app/contract/connected-model.ts";
import { KeyJournal } from "../../runtime/files/key-journal.ts";
import { AgentError, HasheeAgent } from "../../sdk/index.ts";
import { type PairedAgent, readAgent, writeAgent } from "../agent/agent-file.ts";
import { manifest } from "./manifest.ts";

export interface Joined {
  readonly agent: HasheeAgent;
  readonly paired: PairedAgent;
  /** It was here before. */
  readonly isBack: boolean;
}

/**
 * Comes back as the agent that the person has added, or asks to be added.
 * @param signal aborts both, and withdraws what the person was asked
 * @throws PairingError, AgentError
 */
export async function joinHub(
  { folder, hubUrl, name }: ModelOrder,
  onCode: (code: string) => void,
  signal: AbortSignal,
): Promise<Joined> {
  const keyStore = new KeyJournal(join(folder, "keys"));
  const known = await readAgent(folder);
  if (known !== null) {
    const paired = { ...known, baseUrl: hubUrl };
    try {
      return {
        agent: await HasheeAgent.init({ ...paired, keyStore, signal }),
        paired,
        isBack: true,
      };
    } catch (error) {
      if (!isForgotten(error)) throw error;
    }
  }
  // Keys of an agent that is no more are of no use to a new one.
  await keyStore.close();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { agent, credentials } = await HasheeAgent.pair({
    name,
    manifest,
    baseUrl: hubUrl,
    keyStore: new KeyJournal(join(folder, "keys")),
    onCode,
    signal,
  });
  const { agentId, token, conversationId } = credentials;
  const paired = { baseUrl: hubUrl, agentId, token, conversationId, manifest };
  await writeAgent(folder, paired);
  return { agent, paired, isBack: false };
}

/** The person has removed the agent. */
export const isForgotten = (error: unknown): boolean =>
  error instanceof AgentError && (error.code === "agent_removed" || error.code === "invalid_token");
