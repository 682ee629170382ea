import type { CallToolResult } from "@modelcontextprotocol/server";
import { assertNever } from "../../../app/contract/assert-never.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";
import type { AskAnswer, Unavailable } from "./agent-port.ts";
import type { CallAnswer, WaitsFor } from "./call-answer.ts";

/** What a model is told, in English as everything in MCP; what a program branches on is beside it. */
export interface AnswerWords {
  readonly text: string;
  readonly outcome: { readonly status: string } & JsonObject;
}

export const WAITING: Readonly<Record<WaitsFor, string>> = {
  person: "The person has not answered yet.",
  tool: "The tool is still running.",
};

/** The names of our own tools beside the catalogue's. */
export const REQUEST_PERMISSION = "request_permission";
export const COLLECT_ANSWER = "collect_answer";

export function wordsOfCall(answer: Exclude<CallAnswer, { kind: "ok" }>): AnswerWords {
  switch (answer.kind) {
    case "refused": {
      const { status, reason, violation, message } = answer;
      const text = `${REASONS[reason] ?? "The call failed."} (${reason})`;
      const where = violation && ` At "${violation.pointer}": ${violation.keyword}.`;
      const told = message && ` They say: ${message}`;
      return {
        text: `${text}${where ?? ""}${told ?? ""}`,
        outcome: {
          status,
          reason,
          ...(violation === undefined ? {} : { violation: { ...violation } }),
          ...(message === undefined ? {} : { message }),
        },
      };
    }
    case "parked": {
      const { waits_for, ticket } = answer.task;
      return {
        text: `${WAITING[waits_for]} The call goes on. Call ${COLLECT_ANSWER} with the ticket ${ticket} later, or make the same call again: it does not run twice.`,
        outcome: { status: "waiting", waits_for, ticket },
      };
    }
    case "no_such_ticket":
      return {
        text: "There is no answer under this ticket. It is too old, or Consentry was restarted.",
        outcome: { status: "error", reason: "no_such_ticket" },
      };
    case "put_off":
      return {
        text: "Consentry was closed before the person answered. Nothing ran. Make the call again later.",
        outcome: { status: "error", reason: "put_off" },
      };
    default:
      return assertNever(answer);
  }
}

/** The rows of contract §1's table that a model can do something about; others have their code. */
const REASONS: Readonly<Record<string, string>> = {
  user_refused: "The person denied this call. Do not repeat it.",
  user_timeout: "The person did not answer in time. Nothing ran.",
  cancelled: "The call was cancelled.",
  permission_revoked: "The person has revoked this permission or suspended this agent.",
  scope_not_granted: `The person has not granted this permission. Ask for it with ${REQUEST_PERMISSION}.`,
  tool_not_declared: "There is no such tool.",
  schema_violation: "The arguments do not fit the tool's schema.",
  consent_queue_full: "Too many requests wait for the person. Wait for their answers.",
  tool_timeout: "The tool took too long and was stopped.",
  agent_disconnected: "The client was away too long, so the request was withdrawn. Nothing ran.",
  changed_since_shown: "Something changed after the person had seen it. Nothing ran.",
};

export function wordsOfAsking({ kind }: AskAnswer): AnswerWords {
  switch (kind) {
    case "granted":
      return { text: "Granted. The tools are available now.", outcome: { status: "ok" } };
    case "refused":
      return {
        text: "The person did not grant this. Do not ask again now.",
        outcome: { status: "denied", reason: "user_refused" },
      };
    case "waiting":
      return {
        text: `${WAITING.person} Ask again later; the person is not shown a second request.`,
        outcome: { status: "waiting", waits_for: "person" },
      };
    case "unknown_scope":
      return {
        text: `There is no such permission. Name those that ${REQUEST_PERMISSION} lists, by their ids in "permissions".`,
        outcome: { status: "error", reason: "unknown_scope" },
      };
    case "managed":
      return {
        text: "The policy of this computer denies this permission, so nobody can grant it. Do not ask again.",
        outcome: { status: "denied", reason: "managed" },
      };
    default:
      return assertNever(kind);
  }
}

export function unavailableText(why: Unavailable): AnswerWords {
  const outcome = { status: "unavailable", reason: why.kind };
  switch (why.kind) {
    case "not_running":
      return {
        text: "Consentry is not running and could not be started. Nothing ran. Ask the person to start it.",
        outcome,
      };
    case "other_version":
      return {
        text: "Consentry is running in another version than this connection to it. Nothing ran. Ask the person to restart this app.",
        outcome,
      };
    case "lost":
      return {
        text: "The connection to Consentry was lost. Whether the call ran is in its log.",
        outcome,
      };
    case "waiting": {
      return {
        text: `This app is not connected to Consentry yet: the person must allow it in Consentry's window. The code there must be ${why.code}.`,
        outcome,
      };
    }
    case "refused":
      return { text: "The person refused to connect this app to Consentry.", outcome };
    case "not_asked":
      return {
        text: `This app is not connected to Consentry, and the person is not being asked. Call ${REQUEST_PERMISSION} to ask them.`,
        outcome,
      };
    case "unproven":
      return {
        text: "Consentry cannot see which program this is, so it is not connected and the person is not asked. Start it outside containers and sandboxes.",
        outcome,
      };
    default:
      return assertNever(why);
  }
}

/** In `_meta` of each result: what programs branch on. */
const OUTCOME = "consentry/outcome";

export function toolResult(answer: CallAnswer): CallToolResult {
  if (answer.kind !== "ok") return wordsResult(wordsOfCall(answer), true);
  return {
    content: [{ type: "text", text: JSON.stringify(answer.result) }],
    structuredContent: asObject(answer.result),
    _meta: { [OUTCOME]: { status: "ok" } },
  };
}

/** Every tool's result is an object (see their contracts); the type of a JSON value does not say so. */
const asObject = (result: JsonValue): JsonObject => (isJsonObject(result) ? result : { result });

export const wordsResult = ({ text, outcome }: AnswerWords, isError: boolean): CallToolResult => ({
  content: [{ type: "text", text }],
  isError,
  _meta: { [OUTCOME]: outcome },
});
