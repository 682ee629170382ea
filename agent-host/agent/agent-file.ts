import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import { Value } from "typebox/value";
import type { Manifest } from "../../sdk/index.ts";

const AgentFile = Type.Object({
  baseUrl: Type.String(),
  agentId: Type.String(),
  token: Type.String(),
  conversationId: Type.String(),
  /** The hub checked it when the agent was paired. */
  manifest: Type.Unknown(),
});

/** How a person's Consentry knows the host. The token is secret. */
export interface PairedAgent {
  readonly baseUrl: string;
  readonly agentId: string;
  readonly token: string;
  readonly conversationId: string;
  readonly manifest: Manifest;
}

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
    if (Value.Check(AgentFile, value)) return { ...value, manifest: value.manifest as Manifest };
  } catch {
    // Reported below.
  }
  throw new TypeError(`agent_unreadable: ${fileIn(dataDir)}`);
}

/** Written completely or not at all; readable by its owner only. */
export async function writeAgent(dataDir: string, agent: PairedAgent): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const fresh = `${fileIn(dataDir)}.new`;
  await writeFile(fresh, `${JSON.stringify(agent, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(fresh, fileIn(dataDir));
}
