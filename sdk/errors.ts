import type { DeniedReason, ErrorCode, ErrorReason } from "../app/contract/codes.ts";
import type { SchemaViolation } from "../app/contract/json-schema/schema-violation.ts";

/** A code, then what it is about. */
const messageOf = (code: string, ...facts: readonly (string | undefined)[]): string =>
  [code, ...facts].filter((part) => part !== undefined && part !== "").join(": ");

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
    const fact = code === "tool_not_declared" ? `not in the manifest: ${toolName}` : undefined;
    super(callId, toolName, messageOf(code, fact));
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

const AGENT_ERRORS = [
  "invalid_token",
  "webhook_mode",
  /** The person has removed this agent: its credentials no longer work. */
  "agent_removed",
  "invalid_base_url",
  "web_socket_missing",
  "manifest_unavailable",
  "aborted",
  "disconnected",
  /** The hub does not accept this webhook address: it must be public and `https:`, or on this machine. */
  "webhook_refused",
  "hub_unreachable",
  /** The key store cannot be read, or does not contain keys. */
  "keys_unavailable",
  /**
   * Another process has this agent's key file open. Run one process at a time, or give each its own agent.
   */
  "keys_in_use",
  /**
   * This agent was added with the other `connectionMode`, and its keys are signed for that one. Use it,
   * or pair again.
   */
  "paired_otherwise",
  /** This person's keys are unknown, or are not the ones that were named. */
  "keys_unknown",
  "stream_ended",
  /** No conversation was named, and the agent was started without its own. */
  "conversation_unknown",
  /** No agent can have this name. */
  "name_invalid",
  /** No agent of this name was paired by this account: `path` is where its credentials would be. */
  "credentials_missing",
  /** What is at `path` are not credentials, or they cannot be read. */
  "credentials_unreadable",
  /** Credentials cannot be stored at `path`. */
  "credentials_unwritable",
  /** An agent of this name was paired before, and its credentials are at `path`. Nothing was replaced. */
  "credentials_exist",
] as const;
export type AgentErrorCode = (typeof AGENT_ERRORS)[number];

/** What to do about it. */
const ADVICE: { readonly [Code in AgentErrorCode]?: string } = {
  agent_removed:
    'the person has removed this agent; to ask again, pass storeCredentials: "replace"',
  conversation_unknown: "pass its id, or conversationId to init",
  credentials_exist:
    'an agent of this name was paired before; use connect, or pass storeCredentials: "replace"',
  credentials_missing: "no agent of this name was paired here",
  hub_unreachable: "is Consentry running, and is this its address?",
  invalid_base_url: "the hub's address begins with http:// or https://",
  invalid_token: "the hub does not know this agent",
  keys_in_use: "another process runs this agent; end it, or pair this one under another name",
  name_invalid: "1 to 64 characters, at least one of them visible",
  paired_otherwise: "pass the connectionMode that it was paired with, or pair it again",
  web_socket_missing: "install the package ws, as Node 20 needs it, or pass webSocket",
};

interface AgentErrorDetails {
  readonly path?: string;
  /** What is wrong or does not answer. */
  readonly value?: string;
}

/** The agent as a whole cannot go on, or was used after its end. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  readonly code: AgentErrorCode;
  /** Of the file that the error is about, if it is about one. */
  readonly path: string | undefined;
  constructor(code: AgentErrorCode, { path, value }: AgentErrorDetails = {}) {
    super(messageOf(code, path, value, ADVICE[code]));
    this.code = code;
    this.path = path;
  }
}

/**
 * A message that will not arrive. `code` is the hub's when the hub refused it
 * (`NOT_A_MEMBER`, `RATE_LIMITED`, `HISTORY_FULL`, …), else one of `payload_too_large`, `not_json`, `conversation_id_invalid`,
 * `revision_not_higher`, `artifact_unfit` (a client would not draw it), `voice_malformed`,
 * `voice_type_unknown`, `voice_too_long`, `voice_too_large`, or why the agent has closed: `disconnected`,
 * `agent_removed`, `invalid_token`.
 */
export class SendError extends Error {
  override readonly name = "SendError";
  readonly code: string;
  /** What the hub added, for instance `retry_after`; of `artifact_unfit`, `path`. */
  readonly params: Readonly<Record<string, unknown>>;
  constructor(code: string, params: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.params = params;
  }
}

/**
 * A conversation request failed. `code` is the hub's (`NOT_FOUND`, `NOT_RELATED`, `TOO_MANY_GROUPS`,
 * …) or `hub_unreachable`.
 */
export class ConversationError extends Error {
  override readonly name = "ConversationError";
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
  constructor(code: string, params: Readonly<Record<string, unknown>> = {}, address?: string) {
    super(messageOf(code, address));
    this.code = code;
    this.params = params;
  }
}

/** What the hub says about one place in a manifest. */
export interface ManifestRemark {
  /** RFC 6901 JSON Pointer into the manifest. */
  readonly pointer: string;
  /** One of the codes in docs/manifest.md; a newer hub may have others. */
  readonly code: string;
  /** An identifier from the manifest, such as a scope's id. */
  readonly detail?: string;
}

/** `/tools/0/name tool_name_invalid; …` */
const problemsText = (problems: readonly ManifestRemark[]): string =>
  problems
    .map(({ pointer, code, detail }) =>
      [pointer, code, detail && `(${detail})`].filter(Boolean).join(" "),
    )
    .join("; ");

const PAIRING_ERRORS = [
  "refused",
  "expired",
  "too_many",
  /** Not 1 to 64 characters, or none of them visible. */
  "name_invalid",
  "manifest_invalid",
  "key_mismatch",
  "aborted",
  "hub_unreachable",
  "hub_refused",
] as const;
export type PairingErrorCode = (typeof PAIRING_ERRORS)[number];

interface HubErrorDetails {
  /** For `manifest_invalid`: what is wrong, each with its JSON Pointer into the manifest. */
  readonly problems?: readonly ManifestRemark[];
  /** For `manifest_invalid` and `hub_refused`: the hub's own code. */
  readonly hubCode?: string;
  /** For `hub_unreachable`: the hub's. */
  readonly address?: string;
}

/**
 * The pairing ended without an agent. `hub_refused`: the hub did not accept the request; `hubCode` says why.
 * `key_mismatch`: the hub showed a key of the person's and delivered another, or one that is none.
 */
export class PairingError extends Error {
  override readonly name = "PairingError";
  readonly code: PairingErrorCode;
  readonly problems: readonly ManifestRemark[];
  readonly hubCode: string | undefined;
  constructor(code: PairingErrorCode, { problems = [], hubCode, address }: HubErrorDetails = {}) {
    super(messageOf(code, problemsText(problems) || hubCode, address));
    this.code = code;
    this.problems = problems;
    this.hubCode = hubCode;
  }
}

/** The HTTP status for each code; after 503 the hub posts the same delivery again. */
const STATUS = {
  payload_not_json: 400,
  payload_malformed: 400,
  /** Not encrypted for this agent by the sender, or changed on the way. */
  envelope_unreadable: 400,
  signature_invalid: 401,
  not_a_webhook_agent: 400,
  /** Already handled: `done()` was called. Nothing is left to do. */
  already_received: 200,
  /** The person's key has changed. It can be opened after `acceptKey`. */
  key_changed: 503,
  /** The hub could not be asked for keys, or the key store failed. */
  keys_unavailable: 503,
} as const;

export type WebhookErrorCode = keyof typeof STATUS;

/** A delivery that was refused. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code: WebhookErrorCode;
  /** The HTTP status to answer the hub with. */
  readonly status: number;
  /**
   * Why it could not be opened, one of docs/encryption.md, "Refusals"; else null. For the agent's log,
   * not for the answer: the hub must not learn it.
   */
  readonly refusal: string | null;
  constructor(code: WebhookErrorCode, refusal: string | null = null) {
    super(code);
    this.code = code;
    this.refusal = refusal;
    this.status = STATUS[code];
  }
}

const MANIFEST_ERRORS = [
  "manifest_invalid",
  "invalid_token",
  /** The person has removed this agent. */
  "agent_removed",
  "hub_unreachable",
  "hub_refused",
] as const;
export type ManifestErrorCode = (typeof MANIFEST_ERRORS)[number];

/** The manifest was not replaced. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  readonly code: ManifestErrorCode;
  /** For `manifest_invalid`: what is wrong. Empty if it is too large. */
  readonly problems: readonly ManifestRemark[];
  constructor(code: ManifestErrorCode, { problems = [], hubCode, address }: HubErrorDetails = {}) {
    super(messageOf(code, problemsText(problems) || hubCode, address));
    this.code = code;
    this.problems = problems;
  }
}
