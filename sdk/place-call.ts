import type { JsonObject, JsonValue } from "../app/contract/json.ts";
import type { AgentErrorCode } from "./agent-error.ts";
import { CALL_TIMEOUT_DEFAULT_MS, type CallToolOptions } from "./agent-options.ts";
import type { CallQueue } from "./call-queue.ts";
import type { AgentClock } from "./clock.ts";
import { toolCallMessage, toolCancelMessage } from "./content.ts";
import type { PendingCalls } from "./pending-calls.ts";
import type { OutboundMessage, SealedOutbox } from "./sealed-outbox.ts";
import { SendError } from "./send-error.ts";
import { ToolAbortedError, ToolRateLimitedError, ToolUnsentError } from "./tool-call-error.ts";
import type { ToolScope } from "./tool-scopes.ts";
import { ulid } from "./ulid.ts";

export interface CallPorts {
  readonly clock: AgentClock;
  readonly outbox: SealedOutbox;
  readonly pending: PendingCalls;
  readonly queue: CallQueue;
  /** Why the agent has closed; `undefined`: it has not. */
  readonly ended: AgentErrorCode | undefined;
  /** What the tool is declared with; `undefined` when the manifest lacks the tool. */
  readonly scope: ToolScope | undefined;
}

export interface CallRequest extends CallToolOptions {
  readonly conversationId: string;
  readonly name: string;
  readonly args: JsonObject;
}

/** Sends one tool call and waits for its answer. Rejects with a ToolCallError. */
export async function placeCall(ports: CallPorts, request: CallRequest): Promise<JsonValue> {
  const { clock, outbox, pending, queue, scope } = ports;
  const { conversationId, name: toolName, timeoutMs = CALL_TIMEOUT_DEFAULT_MS, signal } = request;
  const callId = request.callId ?? ulid(clock.now());
  if (signal?.aborted) throw new ToolAbortedError(callId, toolName, "aborted");
  if (ports.ended !== undefined) throw new ToolAbortedError(callId, toolName, ports.ended);
  if (pending.has(callId)) throw new ToolUnsentError(callId, toolName, "call_id_pending");
  const message = messageOf(ports, request, callId);
  // Not the call id: a call sent again on purpose must reach the client again.
  let messageId = ulid(clock.now());
  const post = () =>
    outbox.post(messageId, message, {
      acked() {},
      refused: (code, params) =>
        pending.fail(
          callId,
          code === "RATE_LIMITED"
            ? new ToolRateLimitedError(callId, toolName, params)
            : new ToolUnsentError(callId, toolName, code, params),
        ),
    });
  return new Promise((resolve, reject) => {
    let begun = false;
    let earlierMayHaveArrived = false;
    let leave = () => true;
    const begin = () => {
      begun = true;
      post();
    };
    pending.add({
      callId,
      toolName,
      conversationId,
      timeoutMs,
      signal,
      resolve,
      reject,
      again() {
        if (!begun) return;
        earlierMayHaveArrived = outbox.withdraw(messageId) || earlierMayHaveArrived;
        messageId = ulid(clock.now());
        post();
      },
      settled() {
        outbox.withdraw(messageId);
        leave();
      },
      // After a timeout or an abort the person must not be asked for nothing: an unsent call is dropped,
      // and one that may have arrived is cancelled at the client.
      givenUp() {
        const mayHaveArrived = leave() && (outbox.withdraw(messageId) || earlierMayHaveArrived);
        if (!mayHaveArrived) return;
        const cancel = toolCancelMessage(conversationId, callId);
        outbox.post(ulid(clock.now()), cancel, { acked() {}, refused() {} });
      },
    });
    if (scope?.asks === false) begin();
    else leave = queue.enter(conversationId, begin);
  });
}

function messageOf(ports: CallPorts, request: CallRequest, callId: string): OutboundMessage {
  const { conversationId, name, args, toolTimeoutMs } = request;
  if (ports.scope === undefined) throw new ToolUnsentError(callId, name, "tool_not_declared");
  const call = {
    call_id: callId,
    tool_name: name,
    arguments: args,
    permission_scope: ports.scope.id,
    ...(toolTimeoutMs === undefined ? {} : { timeout_ms: toolTimeoutMs }),
  };
  try {
    return toolCallMessage(conversationId, call);
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    throw new ToolUnsentError(callId, name, error.code);
  }
}
