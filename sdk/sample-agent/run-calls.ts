import { join } from "node:path";
import type { HasheeAgent, JsonObject } from "../index.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { rawCall } from "./raw-call.ts";
import type { Report } from "./report.ts";

/** Milliseconds: the person has to read and decide. */
const CALL_TIMEOUT_MS = 120_000;

/**
 * Makes one call of each kind, one after the other, so that there is one prompt at a time.
 * @param folder absolute path of a folder with a `notes.md` in it
 */
export async function runCalls(
  agent: HasheeAgent,
  conversationId: string,
  folder: string,
  report: Report,
): Promise<readonly Outcome[]> {
  const calls: readonly (readonly [tool: string, args: JsonObject])[] = [
    ["send_notification", { title: "The sample agent is here", body: "It will ask you a little." }],
    ["list_directory", { path: folder }],
    // Runs unasked when the person has just allowed the scope for the conversation.
    ["read_file", { path: join(folder, "notes.md") }],
    ["read_clipboard", {}],
  ];
  const outcomes: Outcome[] = [];
  const note = (tool: string, outcome: Outcome) => {
    outcomes.push(outcome);
    report.call(tool, outcome);
  };
  for (const [tool, args] of calls) {
    const options = { timeoutMs: CALL_TIMEOUT_MS };
    note(tool, await outcomeOf(agent.callTool(conversationId, tool, args, options)));
  }
  // Not in the manifest: the client must refuse it without asking anybody.
  const undeclared = { tool_name: "launch_rocket", permission_scope: "rocket:launch" };
  note("launch_rocket", await rawCall(agent, conversationId, undeclared, CALL_TIMEOUT_MS));
  return outcomes;
}
