import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { Value } from "typebox/value";
import { replaceOwnFile } from "../../runtime/files/own-file.ts";
import type { Manifest } from "../../sdk/index.ts";

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
