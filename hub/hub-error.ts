import { type CodedError, errorKind } from "../app/contract/coded-error.ts";
import { LIMITS } from "../app/contract/limits.ts";
import type { HubErrorBody, HubErrorCode } from "../app/protocol/v1/rest.ts";

export type HubStartFault =
  | "port_in_use"
  | "listen_failed"
  | "database_in_use"
  | "database_unusable"
  | "database_other_version"
  | "database_unreachable";

/** What is wrong, and what to do about it. */
const FAULTS: Record<HubStartFault, string> = {
  port_in_use: "is used by another program",
  listen_failed: "cannot be opened. The system does not let this program use it",
  database_in_use: "is used by another program. End that one first",
  database_unusable: "cannot be used. Its folder has to be writable, and the disk needs room",
  database_unreachable: "cannot be reached under that address and account",
  database_other_version:
    "was written by another version. Start that version, or move the file away: agents are then put back from the copy beside it",
};

/** Why a hub did not start. */
export const hubError = errorKind<HubStartFault>("HubError");

/** @param about the port, or the database's file */
export function startError(code: HubStartFault, about: number | string, options?: ErrorOptions) {
  const what = typeof about === "number" ? "port" : "database";
  const message = `The hub's ${what} ${about} ${FAULTS[code]}.`;
  return hubError(code, { ...options, message });
}

/** The error's own code, such as SQLite's, or its class: never its text, which may quote a value. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** English for logs and developers; people see the translation of `i18n_key`. */
const MESSAGES: Readonly<Record<HubErrorCode, string>> = {
  BAD_REQUEST: "The request is not one this endpoint takes.",
  MANIFEST_INVALID: "The manifest breaks the contract; every problem is listed.",
  MANIFEST_TOO_LARGE: "The manifest is larger than 131072 bytes.",
  BODY_TOO_LARGE: "The body is larger than 262144 bytes.",
  UNAUTHENTICATED: "The token is missing, wrong or expired.",
  AGENT_REMOVED: "The person has removed this agent.",
  ACCOUNT_SUSPENDED: "The hub's owner has suspended this account.",
  INVITATION_INVALID: "The invitation was used, is over, or is none of this hub's.",
  FORBIDDEN: "This belongs to somebody else.",
  FOREIGN_ORIGIN: "Web pages do not talk to this hub.",
  FOREIGN_HOST: "The request names a host that is not this hub.",
  NOT_FOUND: "There is nothing here.",
  METHOD_NOT_ALLOWED: "This path does not take that method.",
  PAIRING_EXPIRED: "The pairing ran out before it was answered.",
  PAIRING_CLOSED: "The pairing has been answered or withdrawn.",
  TOO_MANY_PAIRINGS: "Too many pairings are waiting for an answer.",
  SCOPE_UNKNOWN: "A granted scope is not in the agent's manifest.",
  MANIFEST_CHANGED: "The agent has another manifest than the one the scopes were chosen from.",
  WEBHOOK_URL_REFUSED: "A webhook is an https address of the public internet, or loopback.",
  NOT_A_MEMBER: "The sender is not an active member of the conversation, or alone in it.",
  NOT_RELATED: "Only somebody with an active relation to the one who adds can be added.",
  NOT_A_GROUP: "The conversation is one of two, and stays so.",
  GROUP_FULL: "A group has at most 500 members.",
  GROUPS_UNSUPPORTED: "An agent's manifest says that it takes no part in groups.",
  TOO_MANY_GROUPS: "The agent has made as many groups as an agent may have.",
  LEDGER_CONFLICT: "The entry is not the ledger's next, or the ledger is full.",
  RECIPIENT_QUEUE_FULL:
    "Too many messages wait for a recipient, or too much of the sender's waits.",
  HISTORY_FULL: "The person keeps as much of this agent's messages as there is room for.",
  VOICE_UNSUPPORTED: "An agent of the conversation takes no voice messages.",
  VOICE_TOO_LARGE: `The envelope of a voice message is larger than ${LIMITS.voiceEnvelopeBytes} bytes.`,
  RATE_LIMITED: "Too much in a short time; the same may come later.",
  OVERLOADED: "The hub had no time to check the manifest; ask again.",
  UNAVAILABLE: "The hub cannot reach its database; the same may come later.",
  INTERNAL: "The hub failed; nothing was changed.",
};

export function errorBody(
  code: HubErrorCode,
  params: Readonly<Record<string, unknown>> = {},
): HubErrorBody["error"] {
  return { code, message: MESSAGES[code], i18n_key: `error.hub.${code.toLowerCase()}`, params };
}

type RefusalParams = Readonly<Record<string, unknown>>;
const refusalKind = errorKind<HubErrorCode, RefusalParams>("Refusal");
export type Refusal = CodedError<HubErrorCode, RefusalParams>;
export const isRefusal = refusalKind.is;

/** A refused request; the REST boundary turns it into a status and body. */
export const refusal = (code: HubErrorCode, details: RefusalParams = {}): Refusal =>
  refusalKind(code, { details });

/** The database is away, and what was asked of it may have been done or not. */
export const isUnavailable = (error: unknown): boolean =>
  isRefusal(error) && error.code === "UNAVAILABLE";
