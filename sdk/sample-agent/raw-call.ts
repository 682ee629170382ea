import { type HasheeAgent, isToolResponse, SendError } from "../index.ts";
import { type Outcome, outcomeOfResponse } from "./outcome.ts";

/**
 * Sends a tool call without `callTool`, which would refuse a tool that the manifest lacks, and waits
 * for the answer as an event.
 * @param timeoutMs the whole wait, in milliseconds
 */
export async function rawCall(
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
    if (error instanceof SendError) return { status: "trouble", reason: error.code };
    throw error;
  } finally {
    listening.abort();
  }
}
