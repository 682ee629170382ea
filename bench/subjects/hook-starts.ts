import { fileURLToPath } from "node:url";
import { endedProgram } from "./started-program.ts";
import type { Subject } from "./subject.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/hook.mjs", import.meta.url));

/** An agent's permission hook, as the agent starts it. */
export interface StartedHook {
  readonly agent: string;
  readonly dataDir: string;
  /** With `XDG_CONFIG_HOME`, where the hook has its token. */
  readonly env: NodeJS.ProcessEnv;
}

export const NODE_ALONE = "Node alone";

/** A Node that does nothing, from its start to its end. */
export const nodeAlone = (): Subject => endedProgram(NODE_ALONE, ["--eval", "0"], "");

/** @param input what the agent hands it */
export const hookStart = (
  name: string,
  { agent, dataDir, env }: StartedHook,
  input: string,
): Subject => endedProgram(name, [SCRIPT, agent, "--data-dir", dataDir], input, env);
