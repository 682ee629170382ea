import { sandboxError } from "../../sandboxes/sandboxes.ts";
import { type HostTool, hostToolError } from "../host-tool.ts";

/** Runs a bash command line, only ever in a sandbox. */
const bash: HostTool = {
  name: "bash",
  description:
    "Run a bash command in a sandbox and return what it writes and its exit code. Files in the " +
    "working directory stay from one command to the next; nothing else does. Use it to compute, to " +
    "look at files in the sandbox, and to run programs; it has no network unless the sandbox does.",
  inputSchema: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, maxLength: 65_536, description: "A line for bash" },
    },
    required: ["command"],
    additionalProperties: false,
  },
  requiredContext: ["sandboxId"],
  async execute(input, { context, key, sandboxes, signal, report }) {
    try {
      const order = { command: String(input.command), signal, onOutput: report };
      return { ...(await sandboxes.run(key, String(context.sandboxId), order)) };
    } catch (error) {
      if (sandboxError.is(error)) throw hostToolError(error.code, { message: error.message });
      throw error;
    }
  },
};
export default bash;
