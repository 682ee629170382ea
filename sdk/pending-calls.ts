import { assertNever } from "../app/contract/assert-never.ts";
import type { Refusal } from "../app/contract/codes.ts";
import type { JsonValue } from "../app/contract/json.ts";
import type { ToolResponse } from "../app/contract/tool-call.ts";
import type { AgentErrorCode } from "./agent-error.ts";
import type { AgentClock } from "./clock.ts";
import {
  ToolAbortedError,
  type ToolCallError,
  ToolDeniedError,
  ToolFailedError,
  ToolResponseUnreadableError,
  ToolTimeoutError,
} from "./tool-call-error.ts";

export interface PendingCall {
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
    const abort = () => this.#giveUp(callId, new ToolAbortedError(callId, toolName, "aborted"));
    const cancelTimer = this.#clock.after(timeoutMs, () =>
      this.#giveUp(callId, new ToolTimeoutError(callId, toolName, timeoutMs)),
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
    call?.reject(new ToolResponseUnreadableError(callId, call.toolName));
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
      this.#giveUp(call.callId, new ToolAbortedError(call.callId, call.toolName, code));
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
    case "denied":
      return new ToolDeniedError(callId, toolName, refusal.reason, refusal.message);
    case "error":
      return new ToolFailedError(
        callId,
        toolName,
        refusal.error_code,
        refusal.reason,
        refusal.violation,
      );
    default:
      return assertNever(refusal);
  }
}
