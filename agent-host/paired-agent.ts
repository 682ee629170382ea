import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { Value } from "typebox/value";
import type { JsonObject, JsonValue } from "../app/contract/json.ts";
import { replaceOwnFile } from "../runtime/files/own-file.ts";
import { type AgentError, HasheeAgent, type Manifest, ToolCallError } from "../sdk/index.ts";
import { modelTools } from "../sdk/models/index.ts";
import { adviceFor, outcomeCodeOf } from "../sdk/models/tool-outcome.ts";
import { RUN_MS } from "./chat/run-chat.ts";
import { type HostTool, hostToolError } from "./tools/host-tool.ts";

const AgentFile = Type.Object({
  baseUrl: Type.String(),
  agentId: Type.String(),
  token: Type.String(),
  conversationId: Type.String(),
  /** The hub checked it when the agent was paired. */
  manifest: Type.Unsafe<Manifest>(Type.Unknown()),
});

/** How a person's Consentry knows the host. The token is secret. */
export type PairedAgent = Readonly<Static<typeof AgentFile>>;

const fileIn = (dataDir: string): string => join(dataDir, "agent.json");

/** @returns null if the host was never paired. @throws TypeError if the file cannot be read */
export async function readAgent(dataDir: string): Promise<PairedAgent | null> {
  const text = await readFile(fileIn(dataDir), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (Value.Check(AgentFile, value)) return value;
  } catch {
    // Reported below.
  }
  throw new TypeError(`agent_unreadable: ${fileIn(dataDir)}`);
}

/** Written completely or not at all; readable by its owner only. */
export async function writeAgent(dataDir: string, agent: PairedAgent): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  replaceOwnFile(fileIn(dataDir), `${JSON.stringify(agent, null, 2)}\n`, true);
}

interface PairOrder {
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
 * @throws AgentError; TypeError for a manifest that cannot be read
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
export const pairingFault = ({ code, problems }: AgentError): string =>
  [code, ...(problems ?? []).map(({ pointer, code: word }) => `  ${pointer} ${word}`)].join("\n");

/** Tells a tool on a person's computer which conversation to use. */
const CONVERSATION = "conversation_id";

/**
 * The tools on the person's computer that the host was paired with. The model here asks; the
 * person's client decides and runs. A denial is an output that the model reads.
 */
export const agentTools = (
  agent: Pick<HasheeAgent, "callTool">,
  manifest: Manifest,
): readonly HostTool[] =>
  modelTools(manifest).map(({ name, modelName, description, inputSchema }) => ({
    name: modelName,
    description,
    inputSchema: inputSchema as HostTool["inputSchema"],
    requiredContext: [CONVERSATION],
    execute: (input, { context, signal }) =>
      call(agent, String(context[CONVERSATION]), name, input, signal),
  }));

async function call(
  agent: Pick<HasheeAgent, "callTool">,
  conversationId: string,
  name: string,
  input: JsonObject,
  signal: AbortSignal,
): Promise<JsonValue> {
  try {
    return await agent.callTool(conversationId, name, input, { signal, timeoutMs: RUN_MS });
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    const code = outcomeCodeOf(error);
    const isRefusal = error.code !== "TOOL_PLATFORM_ERROR";
    throw hostToolError(code, { message: adviceFor(code), details: { isRefusal } });
  }
}
