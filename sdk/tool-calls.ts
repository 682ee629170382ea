import { assertNever } from "../app/contract/assert-never.ts";
import type { Refusal } from "../app/contract/codes.ts";
import type { JsonObject, JsonValue } from "../app/contract/json.ts";
import type { ToolResponse } from "../app/contract/tool-call.ts";
import type { SealedOutbox, UnsealedMessage } from "../app/protocol/link/sealed-outbox.ts";
import type { CallQueue } from "./call-queue.ts";
import { AgentError, type AgentErrorCode, ToolCallError, unsent } from "./errors.ts";
import type { ToolScope } from "./manifest.ts";
import { toolCallMessage, toolCancelMessage, ulid } from "./message-codec.ts";
import { type AgentClock, CALL_TIMEOUT_DEFAULT_MS, type CallToolOptions } from "./options.ts";

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
  if (signal?.aborted)
    throw new ToolCallError(callId, toolName, { kind: "aborted", code: "aborted" });
  if (ports.ended !== undefined)
    throw new ToolCallError(callId, toolName, { kind: "aborted", code: ports.ended });
  if (pending.has(callId)) throw new ToolCallError(callId, toolName, unsent("call_id_pending"));
  const message = messageOf(ports, request, callId);
  // Not the call id: a call sent again on purpose must reach the client again.
  let messageId = ulid(clock.now());
  const post = () =>
    outbox.seal(messageId, message, {
      acked() {},
      refused: (code, params) =>
        pending.fail(callId, new ToolCallError(callId, toolName, unsent(code, params))),
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
        outbox.seal(ulid(clock.now()), cancel, { acked() {}, refused() {} });
      },
    });
    if (scope?.asks === false) begin();
    else leave = queue.enter(conversationId, begin);
  });
}

function messageOf(ports: CallPorts, request: CallRequest, callId: string): UnsealedMessage {
  const { conversationId, name, args, toolTimeoutMs } = request;
  if (ports.scope === undefined) throw new ToolCallError(callId, name, unsent("tool_not_declared"));
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
    if (!(error instanceof AgentError)) throw error;
    throw new ToolCallError(callId, name, unsent(error.code));
  }
}

interface PendingCall {
  readonly callId: string;
  readonly toolName: string;
  readonly conversationId: string;
  /** The total wait in milliseconds, including the time the person takes to answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  resolve(result: JsonValue): void;
  reject(error: ToolCallError): void;
  /** Sends it again, under a new message id. */
  again(): void;
  /** Runs once, when the call was answered or refused. */
  settled(): void;
  /** Runs once, instead of `settled`, when nobody waits for the answer any longer. */
  givenUp(): void;
}

interface Waiting {
  readonly call: PendingCall;
  stopWaiting(): void;
}

/** The calls whose answers are awaited. Each ends exactly once. */
export class PendingCalls {
  readonly #waiting = new Map<string, Waiting>();
  readonly #clock: AgentClock;

  constructor(clock: AgentClock) {
    this.#clock = clock;
  }

  has(callId: string): boolean {
    return this.#waiting.has(callId);
  }

  add(call: PendingCall): void {
    const { callId, toolName, timeoutMs, signal } = call;
    const abort = () =>
      this.#giveUp(
        callId,
        new ToolCallError(callId, toolName, { kind: "aborted", code: "aborted" }),
      );
    const cancelTimer = this.#clock.after(timeoutMs, () =>
      this.#giveUp(
        callId,
        new ToolCallError(callId, toolName, { kind: "timeout", timeoutMs: timeoutMs }),
      ),
    );
    signal?.addEventListener("abort", abort, { once: true });
    this.#waiting.set(callId, {
      call,
      stopWaiting() {
        cancelTimer();
        signal?.removeEventListener("abort", abort);
      },
    });
  }

  /** An answer counts only in the conversation the call was made in. */
  answer(conversationId: string, response: ToolResponse): void {
    const call = this.#take(response.call_id, conversationId);
    if (call === undefined) return;
    call.settled();
    if (response.status === "ok") call.resolve(response.result);
    else call.reject(failure(call, response));
  }

  answerUnreadably(conversationId: string, callId: string): void {
    const call = this.#take(callId, conversationId);
    call?.settled();
    call?.reject(new ToolCallError(callId, call.toolName, { kind: "unreadable" }));
  }

  fail(callId: string, error: ToolCallError): void {
    const call = this.#take(callId);
    call?.settled();
    call?.reject(error);
  }

  /** The person cannot open earlier messages: sends this conversation's pending calls again. */
  sendAgain(conversationId: string): void {
    for (const { call } of [...this.#waiting.values()]) {
      if (call.conversationId === conversationId) call.again();
    }
  }

  /** The newest first, so that none begins because an older one has ended. */
  abortAll(code: AgentErrorCode): void {
    for (const { call } of [...this.#waiting.values()].toReversed()) {
      this.#giveUp(
        call.callId,
        new ToolCallError(call.callId, call.toolName, { kind: "aborted", code: code }),
      );
    }
  }

  #giveUp(callId: string, error: ToolCallError): void {
    const call = this.#take(callId);
    call?.givenUp();
    call?.reject(error);
  }

  #take(callId: string, conversationId?: string): PendingCall | undefined {
    const waiting = this.#waiting.get(callId);
    if (waiting === undefined) return undefined;
    const { call } = waiting;
    if (conversationId !== undefined && conversationId !== call.conversationId) return undefined;
    this.#waiting.delete(callId);
    waiting.stopWaiting();
    return call;
  }
}

function failure({ callId, toolName }: PendingCall, refusal: Refusal): ToolCallError {
  switch (refusal.status) {
    case "denied": {
      const { reason, message: told } = refusal;
      return new ToolCallError(callId, toolName, { kind: "denied", reason, told });
    }
    case "error": {
      const { error_code: code, reason, violation } = refusal;
      return new ToolCallError(callId, toolName, { kind: "failed", code, reason, violation });
    }
    default:
      return assertNever(refusal);
  }
}
