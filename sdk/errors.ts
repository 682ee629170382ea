import type { DeniedReason, ErrorCode, ErrorReason } from "../app/contract/codes.ts";
import type { SchemaViolation } from "../app/contract/json-schema/schema-violation.ts";

/** A code, then what it is about. */
const messageOf = (code: string, ...facts: readonly (string | undefined)[]): string =>
  [code, ...facts].filter((part) => part !== undefined && part !== "").join(": ");

/** How a call failed: branch on `kind`. */
export type ToolCallFailure =
  /** The person or a rule of the person's denied it. `told`: what the person told the agent. */
  | { readonly kind: "denied"; readonly reason: DeniedReason; readonly told?: string | undefined }
  /**
   * The call was wrong, the tool cannot run there, or it ran and failed. With `schema_violation`: where
   * the arguments are wrong, and which keyword of the schema says so.
   */
  | {
      readonly kind: "failed";
      readonly code: ErrorCode;
      readonly reason: ErrorReason;
      readonly violation?: SchemaViolation | undefined;
    }
  /** No answer within the total time, in milliseconds. The agent no longer waits. */
  | { readonly kind: "timeout"; readonly timeoutMs: number }
  /** `aborted` by its signal, or why the agent has closed. */
  | { readonly kind: "aborted"; readonly code: AgentErrorCode }
  /**
   * The call never reached the person. `code` is the hub's when the hub refused it, else
   * `tool_not_declared` (the agent's own manifest lacks the tool), `call_id_pending`, or why it cannot
   * be sent. `params`: what the hub added. With `RATE_LIMITED` (60 calls and 8 MiB in any minute,
   * contract §8): milliseconds until the hub accepts it.
   */
  | {
      readonly kind: "unsent";
      readonly code: string;
      readonly params: Readonly<Record<string, unknown>>;
      readonly retryAfterMs?: number;
    }
  /** An answer whose status, reason and code are not a row of the table in contract §1. */
  | { readonly kind: "unreadable" };

/** What every failed `callTool` rejects with. */
export class ToolCallError extends Error {
  override readonly name = "ToolCallError";
  readonly callId: string;
  readonly toolName: string;
  readonly failure: ToolCallFailure;
  constructor(callId: string, toolName: string, failure: ToolCallFailure) {
    super(messageOf(codeOf(failure), factOf(failure, toolName)));
    this.callId = callId;
    this.toolName = toolName;
    this.failure = failure;
  }

  /** The failure's code; `denied`, `call_timeout` or `response_unreadable` where it has none. */
  get code(): string {
    return codeOf(this.failure);
  }
}

function codeOf(failure: ToolCallFailure): string {
  switch (failure.kind) {
    case "denied":
      return "denied";
    case "timeout":
      return "call_timeout";
    case "unreadable":
      return "response_unreadable";
    default:
      return failure.code;
  }
}

function factOf(failure: ToolCallFailure, toolName: string): string | undefined {
  switch (failure.kind) {
    case "denied":
      return failure.reason + (failure.told === undefined ? "" : ` (${failure.told})`);
    case "failed": {
      const { reason, violation: at } = failure;
      return reason + (at ? ` at ${at.pointer || "the top level"} (${at.keyword})` : "");
    }
    case "timeout":
      return `the person has not answered, or the tool not ended, in ${failure.timeoutMs / 1000} s`;
    default:
      return codeOf(failure) === "tool_not_declared"
        ? `not in the manifest: ${toolName}`
        : undefined;
  }
}

/** @param params what the hub added to its refusal */
export function unsent(
  code: string,
  params: Readonly<Record<string, unknown>> = {},
): ToolCallFailure {
  if (code !== "RATE_LIMITED") return { kind: "unsent", code, params };
  const { retry_after_ms: ms, retry_after: seconds } = params;
  const retryAfterMs = typeof ms === "number" ? ms : Number(seconds ?? 1) * 1_000;
  return { kind: "unsent", code, params, retryAfterMs };
}

export type AgentErrorCode =
  | "invalid_token"
  | "webhook_mode"
  /** The person has removed this agent: its credentials no longer work. */
  | "agent_removed"
  | "invalid_base_url"
  | "web_socket_missing"
  | "manifest_unavailable"
  | "aborted"
  | "disconnected"
  /** The hub does not accept this webhook address: it must be public and `https:`, or on this machine. */
  | "webhook_refused"
  | "hub_unreachable"
  /** The key store cannot be read, or does not contain keys. */
  | "keys_unavailable"
  /**
   * Another process has this agent's key file open. Run one process at a time, or give each its own agent.
   */
  | "keys_in_use"
  /**
   * This agent was added with the other `connectionMode`, and its keys are signed for that one. Use it,
   * or pair again.
   */
  | "paired_otherwise"
  /** This person's keys are unknown, or are not the ones that were named. */
  | "keys_unknown"
  | "stream_ended"
  /** No conversation was named, and the agent was started without its own. */
  | "conversation_unknown"
  /** No agent can have this name. */
  | "name_invalid"
  /** No agent of this name was paired by this account: `path` is where its credentials would be. */
  | "credentials_missing"
  /** What is at `path` are not credentials, or they cannot be read. */
  | "credentials_unreadable"
  /** Credentials cannot be stored at `path`. */
  | "credentials_unwritable"
  /** An agent of this name was paired before, and its credentials are at `path`. Nothing was replaced. */
  | "credentials_exist";

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

export type PairingErrorCode =
  | "refused"
  | "expired"
  | "too_many"
  /** Not 1 to 64 characters, or none of them visible. */
  | "name_invalid"
  | "manifest_invalid"
  /** The hub showed a key of the person's and delivered another, or one that is none. */
  | "key_mismatch"
  | "aborted"
  | "hub_unreachable"
  /** The hub did not accept the request; `hubCode` says why. */
  | "hub_refused";

export type ManifestErrorCode =
  | "manifest_invalid"
  | "invalid_token"
  /** The person has removed this agent. */
  | "agent_removed"
  | "hub_unreachable"
  | "hub_refused";

/** Of a webhook's delivery that was refused, its HTTP status. */
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

interface AgentErrorFacts {
  readonly message?: string;
  readonly path?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly problems?: readonly ManifestRemark[];
  readonly hubCode?: string;
  readonly refusal?: string;
  /** What is wrong or does not answer. */
  readonly value?: string;
}

/** Whatever fails but a call. `code` is in one of the tables of `sdk/README.md`, or the hub's own. */
export class AgentError<Code extends string = string> extends Error {
  override readonly name = "AgentError";
  readonly code: Code;
  /** Of the file that the error is about, or into the artifact or output that is unfit (RFC 6901). */
  readonly path: string | undefined;
  /** What the hub added, for instance `retry_after`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Of `manifest_invalid`: what is wrong. Empty if it is too large. */
  readonly problems: readonly ManifestRemark[];
  /** Of `manifest_invalid` and `hub_refused`: the hub's own code. */
  readonly hubCode: string | undefined;
  /**
   * Why a delivery could not be opened, one of docs/encryption.md, "Refusals". For the agent's log, not
   * for the answer: the hub must not learn it.
   */
  readonly refusal: string | undefined;
  constructor(code: Code, facts: AgentErrorFacts = {}) {
    const { path, value, problems = [], hubCode } = facts;
    const known = [problemsText(problems) || hubCode, path, value, ADVICE[code as AgentErrorCode]];
    super(facts.message ?? messageOf(code, ...known));
    this.code = code;
    this.path = path;
    this.params = facts.params ?? {};
    this.problems = problems;
    this.hubCode = hubCode;
    this.refusal = facts.refusal;
  }

  /** The HTTP status to answer a delivery with; after 503 the hub posts the same one again. */
  get status(): number {
    return STATUS[this.code as WebhookErrorCode] ?? 500;
  }

  /** The AI SDK shows this to the model, which the class's name would tell nothing. */
  override toString(): string {
    return this.message;
  }
}
