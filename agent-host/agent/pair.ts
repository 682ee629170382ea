import { readFile } from "node:fs/promises";
import { HasheeAgent, type Manifest, type PairingError } from "../../sdk/index.ts";
import { writeAgent } from "./agent-file.ts";

export interface PairOrder {
  /** Of the person's hub: `http://127.0.0.1:4800`. */
  readonly baseUrl: string;
  readonly manifestFile: string;
  readonly name: string;
  readonly dataDir: string;
  readonly onCode: (code: string) => void;
}

/**
 * Asks the person whose Consentry that is to add this host, and keeps what it takes to come back.
 * @throws PairingError; TypeError for a manifest that cannot be read
 */
export async function pairHost(order: PairOrder): Promise<void> {
  const { baseUrl, name, dataDir, onCode } = order;
  const manifest = await readManifest(order.manifestFile);
  const { agent, credentials } = await HasheeAgent.pair({ baseUrl, name, manifest, onCode });
  const { agentId, token, conversationId } = credentials;
  try {
    await writeAgent(dataDir, { baseUrl, agentId, token, conversationId, manifest });
  } finally {
    agent.disconnect();
  }
}

async function readManifest(file: string): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    throw new TypeError(`manifest_unreadable: ${file}`);
  }
}

/** What a person at the terminal reads of a pairing that ended without an agent. */
export const pairingFault = ({ code, problems }: PairingError): string =>
  [code, ...(problems ?? []).map(({ pointer, code: word }) => `  ${pointer} ${word}`)].join("\n");
