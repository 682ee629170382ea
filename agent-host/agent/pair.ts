import { readFile } from "node:fs/promises";
import { HasheeAgent, type Manifest, type PairingError } from "../../sdk/index.ts";
import { writeAgent } from "./agent-file.ts";

export interface PairOrder {
  /** The person's hub, such as `http://127.0.0.1:4800`. */
  readonly baseUrl: string;
  readonly manifestFile: string;
  readonly name: string;
  readonly dataDir: string;
  readonly onCode: (code: string) => void;
}

/**
 * Asks the person to add this host to their Consentry, and stores what is needed to reconnect.
 * @returns the ID of the conversation that its tools need
 * @throws PairingError; TypeError for a manifest that cannot be read
 */
export async function pairHost(order: PairOrder): Promise<string> {
  const { baseUrl, name, dataDir, onCode } = order;
  const manifest = await readManifest(order.manifestFile);
  const own = { storeCredentials: false, onCode };
  const { agent, credentials } = await HasheeAgent.pair({ baseUrl, name, manifest, ...own });
  const { agentId, token, conversationId } = credentials;
  try {
    await writeAgent(dataDir, { baseUrl, agentId, token, conversationId, manifest });
  } finally {
    agent.disconnect();
  }
  return conversationId;
}

async function readManifest(file: string): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    throw new TypeError(`manifest_unreadable: ${file}`);
  }
}

/** The message on the terminal when a pairing failed. */
export const pairingFault = ({ code, problems }: PairingError): string =>
  [code, ...(problems ?? []).map(({ pointer, code: word }) => `  ${pointer} ${word}`)].join("\n");
