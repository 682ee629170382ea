import { digestOf } from "../app/contract/digest.ts";
import { isJsonObject, type JsonValue } from "../app/contract/json.ts";
import type { Manifest } from "../app/contract/manifest.ts";
import { HasheeAgent } from "./agent.ts";
import { loadCredentials, type StoredCredentials } from "./credentials.ts";
import { AgentError } from "./errors.ts";
import { askHub } from "./hub-client.ts";
import { type PairOptions, realClock } from "./options.ts";

/** Where Consentry listens if it was not told otherwise. */
const USUAL_HUB = "http://127.0.0.1:4800";

type OwnOptions = "name" | "manifest" | "baseUrl" | "onCode" | "storeCredentials";

export interface ConnectOptions extends Omit<PairOptions, OwnOptions> {
  /** The hub. Default: the one the agent was paired at, else `http://127.0.0.1:4800`. */
  readonly baseUrl?: string;
  /** Called if the person has to add the agent, with the code to compare. Default: it is logged. */
  readonly onCode?: PairOptions["onCode"];
  /** `"replace"` pairs a new agent, and forgets the one that was stored. */
  readonly storeCredentials?: "replace";
}

/**
 * Connects as the agent of this name. The first time, a person is asked to add it. A manifest that has
 * changed since replaces the one at the hub.
 * @throws AgentError as `init`, `pair` and `updateManifest`, and `credentials_unreadable`
 */
export async function connect(
  name: string,
  manifest: Manifest,
  options: ConnectOptions = {},
): Promise<HasheeAgent> {
  const isNew = options.storeCredentials === "replace";
  const stored = isNew ? undefined : await storedFor(name);
  if (stored !== undefined) return connectAgain(stored, manifest, options);
  const ways = { baseUrl: USUAL_HUB, storeCredentials: true, onCode: logged(name), ...options };
  return (await HasheeAgent.pair({ ...ways, name, manifest })).agent;
}

async function storedFor(name: string): Promise<StoredCredentials | undefined> {
  try {
    return await loadCredentials(name);
  } catch (error) {
    if (error instanceof AgentError && error.code === "credentials_missing") return undefined;
    throw error;
  }
}

const logged = (name: string) => (code: string) =>
  console.log(`Add ${name} in Consentry: it shows the code ${code}.`);

async function connectAgain(
  stored: StoredCredentials,
  manifest: Manifest,
  options: ConnectOptions,
): Promise<HasheeAgent> {
  const known = { ...stored, ...options, manifest };
  const agent = await HasheeAgent.init(known);
  try {
    const { baseUrl, agentId, token, fetch = globalThis.fetch, clock = realClock } = known;
    const path = `/agents/${encodeURIComponent(agentId)}`;
    const answer = await askHub({ baseUrl, fetch, clock }, { method: "GET", path, token });
    const data = answer.kind === "data" ? (answer.data as JsonValue) : undefined;
    const hash =
      data !== undefined && isJsonObject(data) ? data.capability_manifest_hash : undefined;
    const isOther = hash !== undefined && hash !== digestOf(manifest as unknown as JsonValue);
    if (isOther) await agent.updateManifest(manifest);
    return agent;
  } catch (error) {
    agent.disconnect();
    throw error;
  }
}
