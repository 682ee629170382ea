import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { ModelScript } from "../../agent-host/scripted-model/scripted-model.ts";

/** Agents that other people make; those that are here are tested. */
export type RealAgent = "claude" | "codex" | "gemini";

/** Null: neither in `CONSENTRY_AGENTS_DIR` nor on the PATH. */
export function realAgent(name: RealAgent): string | null {
  const folders = [process.env.CONSENTRY_AGENTS_DIR ?? "", ...path()];
  const found = folders.filter((folder) => folder !== "").map((folder) => join(folder, name));
  return found.find((file) => existsSync(file)) ?? null;
}

const path = (): readonly string[] => (process.env.PATH ?? "").split(delimiter);

interface AgentRun {
  /** Everything that it said. */
  readonly ended: Promise<string>;
}

/** An agent as a person starts it, with nothing of ours in its environment. */
export function runAgent(
  file: string,
  words: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): AgentRun {
  const child = spawn(file, words, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const hear = (part: Buffer) => {
    said += part.toString();
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(said));
  });
  return { ended };
}

/**
 * A model that calls one tool, looked for first where the agent shows only the names of such tools, and
 * then repeats what it was told.
 */
export function oneCall(tool: string, input: object): ModelScript {
  let step: "search" | "call" | "done" = "search";
  let waits = 0;
  return ({ tools, results }) => {
    const isWanted = (each: string) =>
      each === tool || each.endsWith(`__${tool}`) || each.endsWith(`.${tool}`);
    const name = tools.find(isWanted);
    if (tools.length === 0 || step === "done") {
      return { text: `Told: ${results.map(({ text }) => text).join(" ")}` };
    }
    if (name !== undefined) {
      step = "done";
      return { calls: [{ name, input }] };
    }
    // Codex names a server's tools once that has started.
    if (tools.includes("exec_command") && waits < 10) {
      waits += 1;
      return { calls: [{ name: "exec_command", input: { cmd: "sleep 2" } }] };
    }
    const search = tools.find((each) => each === "ToolSearch");
    if (search === undefined || step === "call") return { text: `No ${tool}: ${tools.join(" ")}` };
    step = "call";
    return { calls: [{ name: search, input: { query: `select:mcp__consentry__${tool}` } }] };
  };
}
