import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import { type ArgumentCheck, argumentCheck } from "../../sdk/models/argument-check.ts";
import { type HostTool, HostToolError, type ToolRun } from "../tools/host-tool.ts";

/** Compiled at a tool's first call, then reused. */
const CHECKS = new WeakMap<HostTool, ArgumentCheck>();

function checkOf(tool: HostTool): ArgumentCheck {
  const known = CHECKS.get(tool) ?? argumentCheck(tool.inputSchema);
  CHECKS.set(tool, known);
  return known;
}

/** Counts a run's steps, beginning with the model's first, and runs its tools while there are some left. */
export class ToolSteps {
  readonly #atMost: number;
  #taken = 1;

  constructor(atMost: number) {
    this.#atMost = atMost;
  }

  /** Takes the next step; false when there is none left. */
  next(): boolean {
    if (this.#taken >= this.#atMost) return false;
    this.#taken += 1;
    return true;
  }

  /** Resolves with the output. A failure is an output too, so that the model can read it. */
  async run(tool: HostTool, input: JsonObject, run: ToolRun): Promise<JsonValue> {
    if (!this.next()) {
      return failure("step_limit", "The request has no steps left, so this was not run.");
    }
    const violation = checkOf(tool)(input);
    if (violation !== null) {
      const { pointer, keyword } = violation;
      const place = pointer === "" ? "the top level" : pointer;
      return failure("invalid_input", `Correct the input at ${place}: it breaks "${keyword}".`);
    }
    try {
      return await tool.execute(input, run);
    } catch (error) {
      if (error instanceof HostToolError) return failure(error.code, error.message);
      if (run.signal.aborted) return failure("aborted", "The request ended before this did.");
      // A bug in the tool: its message may contain secrets, so it is not passed on.
      return failure("tool_failed", "The tool failed; do not repeat this call.");
    }
  }
}

const failure = (code: string, message: string): JsonObject => ({ error: { code, message } });
