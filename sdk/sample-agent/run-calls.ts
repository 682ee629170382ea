import { join } from "node:path";
import { AgentError, type HasheeAgent, isToolResponse, type JsonObject } from "../index.ts";
import { type Outcome, outcomeOf, outcomeOfResponse, type Report } from "./report.ts";

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

/**
 * Sends a tool call without `callTool`, which would refuse a tool that the manifest lacks, and waits
 * for the answer as an event.
 * @param timeoutMs the whole wait, in milliseconds
 */
async function rawCall(
  agent: HasheeAgent,
  conversationId: string,
  call: { readonly tool_name: string; readonly permission_scope: string },
  timeoutMs: number,
): Promise<Outcome> {
  const callId = crypto.randomUUID();
  const listening = new AbortController();
  const answer = new Promise<Outcome>((resolve) => {
    agent.addEventHandler((event) => {
      if (!isToolResponse(event) || event.artifact.call_id !== callId) return;
      resolve(outcomeOfResponse(event.artifact));
    }, listening.signal);
    const timeout = setTimeout(
      () => resolve({ status: "trouble", reason: "call_timeout" }),
      timeoutMs,
    );
    listening.signal.addEventListener("abort", () => clearTimeout(timeout));
  });
  const payload = { call_id: callId, ...call, arguments: {} };
  const artifact = { artifact_id: callId, subtype: "tool_call", payload };
  try {
    await agent.sendArtifact(conversationId, { artifact });
    return await answer;
  } catch (error) {
    if (error instanceof AgentError) return { status: "trouble", reason: error.code };
    throw error;
  } finally {
    listening.abort();
  }
}
