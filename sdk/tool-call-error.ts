import type { DeniedReason, ErrorCode, ErrorReason } from "../app/contract/codes.ts";
import type { SchemaViolation } from "../app/contract/json-schema/schema-violation.ts";
import type { AgentErrorCode } from "./errors.ts";

/** What every failed `callTool` rejects with. Branch on the subclass, then on its codes. */
export abstract class ToolCallError extends Error {
  readonly callId: string;
  readonly toolName: string;
  abstract readonly code: string;
  constructor(callId: string, toolName: string, message: string) {
    super(message);
    this.callId = callId;
    this.toolName = toolName;
  }
}

/** The person, or a rule of the person's, said no. Asking again at once will not help. */
export class ToolDeniedError extends ToolCallError {
  override readonly name = "ToolDeniedError";
  readonly code = "denied";
  readonly reason: DeniedReason;
  /** With `user_refused`: what the person told the agent, if they told it anything. */
  readonly told: string | undefined;
  constructor(callId: string, toolName: string, reason: DeniedReason, told?: string) {
    super(callId, toolName, `denied: ${reason}${told === undefined ? "" : ` (${told})`}`);
    this.reason = reason;
    this.told = told;
  }
}

/** The call was wrong, the tool cannot run there, or it ran and failed. */
export class ToolFailedError extends ToolCallError {
  override readonly name = "ToolFailedError";
  readonly code: ErrorCode;
  readonly reason: ErrorReason;
  /** With `schema_violation`: where the arguments are wrong, and the schema's keyword that says so. */
  readonly violation: SchemaViolation | undefined;
  constructor(
    callId: string,
    toolName: string,
    code: ErrorCode,
    reason: ErrorReason,
    violation?: SchemaViolation,
  ) {
    const at = violation && ` at ${violation.pointer || "the top level"} (${violation.keyword})`;
    super(callId, toolName, `${code}: ${reason}${at ?? ""}`);
    this.code = code;
    this.reason = reason;
    this.violation = violation;
  }
}

/** No answer within the total time. The agent no longer waits, even if the person still answers. */
export class ToolTimeoutError extends ToolCallError {
  override readonly name = "ToolTimeoutError";
  readonly code = "call_timeout";
  /** The total time that ran out, in milliseconds. */
  readonly timeoutMs: number;
  constructor(callId: string, toolName: string, timeoutMs: number) {
    const waited = `${timeoutMs / 1000} s`;
    super(
      callId,
      toolName,
      `call_timeout: the person has not answered, or the tool not ended, in ${waited}`,
    );
    this.timeoutMs = timeoutMs;
  }
}

/** The agent stopped waiting: `aborted` by its signal, or it has closed, and `code` says why. */
export class ToolAbortedError extends ToolCallError {
  override readonly name = "ToolAbortedError";
  readonly code: AgentErrorCode;
  constructor(callId: string, toolName: string, code: AgentErrorCode) {
    super(callId, toolName, code);
    this.code = code;
  }
}

/**
 * The call never reached the person. `code` is the hub's when the hub refused it, else one
 * of `tool_not_declared` (the agent's own manifest lacks the tool), `call_id_pending`, or a code
 * of `SendError`.
 */
export class ToolUnsentError extends ToolCallError {
  override readonly name: string = "ToolUnsentError";
  readonly code: string;
  /** What the hub added, for instance `retry_after`. */
  readonly params: Readonly<Record<string, unknown>>;
  constructor(
    callId: string,
    toolName: string,
    code: string,
    params: Readonly<Record<string, unknown>> = {},
  ) {
    super(callId, toolName, code);
    this.code = code;
    this.params = params;
  }
}

/** The hub's limit for this agent is reached: 60 calls and 8 MiB in any minute (contract §8). */
export class ToolRateLimitedError extends ToolUnsentError {
  override readonly name = "ToolRateLimitedError";
  /** Milliseconds until the hub accepts the call again. */
  readonly retryAfterMs: number;
  constructor(callId: string, toolName: string, params: Readonly<Record<string, unknown>>) {
    super(callId, toolName, "RATE_LIMITED", params);
    const { retry_after_ms: ms, retry_after: seconds } = params;
    this.retryAfterMs = typeof ms === "number" ? ms : Number(seconds ?? 1) * 1_000;
  }
}

/** An answer whose status, reason and code are not a row of the table in contract §1. */
export class ToolResponseUnreadableError extends ToolCallError {
  override readonly name = "ToolResponseUnreadableError";
  readonly code = "response_unreadable";
  constructor(callId: string, toolName: string) {
    super(callId, toolName, "response_unreadable");
  }
}
