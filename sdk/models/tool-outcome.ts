import type { DeniedReason, ErrorReason } from "../../app/contract/codes.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import type { SchemaViolation } from "../../app/contract/json-schema/schema-violation.ts";
import { AgentError, ToolCallError } from "../errors.ts";
import { looseObject, type ModelCall, textIn } from "./model-turn.ts";

/** Why there is no answer that a program can use. */
export type ModelErrorCode =
  /** The model's server sent an error in place of an answer. */
  | "provider_error"
  /** A tool that is not offered was to be chosen. */
  | "tool_not_offered"
  /** Structured output: the model did not call the tool. */
  | "missing"
  /** Structured output: the model did not call the tool with a JSON object. */
  | "not_json"
  /** Structured output: the schema is outside the supported profile of JSON Schema 2020-12. */
  | "schema_unsupported"
  /** Structured output that breaks its schema, or a call that failed. */
  | OutcomeCode;

/** @throws AgentError `provider_error` if a server sent this in place of an answer */
export function refuseProviderError(error: unknown): void {
  if (error === undefined || error === null) return;
  const said = textIn(error) || textIn(looseObject(error).message);
  throw new AgentError("provider_error", { value: said });
}

/** How one call ended, ready to go back to the model. */
export type ToolOutcome =
  | {
      readonly id: string;
      readonly modelName: string;
      readonly isError: false;
      /** What the model reads: the result itself when it is a text, else its JSON. */
      readonly text: string;
      readonly result: JsonValue;
    }
  | {
      readonly id: string;
      readonly modelName: string;
      readonly isError: true;
      /** What the model reads: the code, and in one sentence what to do next. */
      readonly text: string;
      readonly code: OutcomeCode;
    };

export const succeeded = ({ id, modelName }: ModelCall, result: JsonValue): ToolOutcome => ({
  id,
  modelName,
  isError: false,
  text: typeof result === "string" ? result : JSON.stringify(result),
  result,
});

/** @param violation where the arguments are wrong, when that is known */
export const failed = (
  { id, modelName }: ModelCall,
  code: OutcomeCode,
  violation?: SchemaViolation,
): ToolOutcome => ({
  id,
  modelName,
  isError: true,
  text: `${code}: ${adviceFor(code, violation)}`,
  code,
});

/** @throws whatever is not a ToolCallError: an error in the program, not an answer for the model */
export function failedWith(call: ModelCall, error: unknown): ToolOutcome {
  if (!(error instanceof ToolCallError)) throw error;
  const { failure } = error;
  const violation = failure.kind === "failed" ? failure.violation : undefined;
  const outcome = failed(call, outcomeCodeOf(error), violation);
  // What the person told the agent comes last, so that the code stays at the beginning.
  const told = failure.kind === "denied" ? failure.told : undefined;
  return told === undefined ? outcome : { ...outcome, text: `${outcome.text} They say: ${told}` };
}

/** Nothing has run, and there is room again once another request is answered. */
export const isQueueFull = (error: unknown): boolean =>
  error instanceof ToolCallError && outcomeCodeOf(error) === "consent_queue_full";

/** Outcomes that only the SDK knows. */
const OWN_CODES = [
  "unknown_tool",
  "arguments_not_json",
  "call_timeout",
  "aborted",
  "rate_limited",
  "not_sent",
  "response_unreadable",
] as const;

/** Why a model's call failed: a reason from the contract's table, or a code of the SDK. */
export type OutcomeCode = DeniedReason | ErrorReason | (typeof OWN_CODES)[number];

const CORRECT = "Correct the arguments";
const ANOTHER_WAY = "Do not repeat this call; continue another way or tell the person.";
const ONCE_MORE = "Try once more; if it fails again, tell the person.";
const LOOK_FIRST = "Look at what is there first, then correct the arguments.";

/** One sentence for each code: what the model should do next. */
const ADVICE: Readonly<Record<OutcomeCode, string>> = {
  user_refused:
    "The person said no; do not repeat this call, and ask them how to go on if you cannot continue without it.",
  user_timeout:
    "The person did not answer in time; do not repeat this call by yourself, ask them whether they still want it.",
  scope_not_granted:
    "The person has not given this permission; do not repeat this call, tell them which permission it needs and why.",
  permission_revoked:
    "The person took this permission back; do not repeat this call, and ask them before relying on it again.",
  tool_not_declared:
    "This tool is not offered to the person’s client; do not call it again, use another one.",
  tool_not_supported_in_group:
    "Tools do not run in group conversations; ask the person to continue in the private conversation.",
  malformed_json: `${CORRECT}: they were not valid JSON.`,
  malformed_call: `${CORRECT}: the call was malformed.`,
  payload_too_large: `${CORRECT}: they are too large, so send less at a time.`,
  schema_violation: `${CORRECT} and call again.`,
  schema_unusable: ANOTHER_WAY,
  schema_undecided: "The arguments could not be checked in time; make them simpler and call again.",
  call_id_reused: "The call’s id was used before with other arguments; make a new call.",
  not_on_this_platform: "This tool does not work on the person’s computer; do not call it again.",
  no_provider:
    "The person’s computer has nothing that can do this; do not call it again, and tell them.",
  switched_off: "The person switched this off; do not call it again.",
  scope_mismatch: "This tool is declared wrongly; do not call it again, and tell the person.",
  consent_queue_full:
    "Too many requests wait for the person; wait for their answers before you call again.",
  overloaded: "The person’s computer is too busy; call again later.",
  tool_timeout: "The tool ran out of time; ask for less at once.",
  not_found: `There is nothing at that place. ${LOOK_FIRST}`,
  access_denied:
    "The computer refuses access to this; do not repeat this call, and tell the person.",
  outside_roots:
    "This lies outside the folders the person opened; use a path inside them, or ask the person to open the folder.",
  is_a_directory: "That is a folder; call the tool for folders, or name a file.",
  not_a_directory: "That is not a folder; name a folder.",
  not_a_regular_file: "That is not an ordinary file; name another one.",
  not_text: "That is not text; do not read it as text.",
  too_large: "It is too large; ask for a part of it.",
  already_exists: "It exists already; choose another name, or change what is there.",
  directory_not_empty: "The folder is not empty; look at what is in it first.",
  is_a_root: "This is a folder the person opened for you; it cannot be moved or deleted.",
  different_volume: "The two places are on different volumes; copy by reading and writing instead.",
  disk_full: "The disk is full; do not repeat this call, and tell the person.",
  text_not_found: `The text to replace is not in the file. Read the file, then correct the arguments.`,
  text_not_unique:
    "The text to replace occurs more than once; give more of the text around it so that it is unique.",
  changed_since_shown:
    "What the person was shown has changed meanwhile; look again and make a new call.",
  own_data_linked:
    "A file of the client's own has a second name; do not repeat this call, and tell the person to delete that name.",
  trash_unavailable:
    "There is no trash to delete it to; do not repeat this call, and tell the person.",
  program_not_found: "There is no such program; use another one or tell the person.",
  network_error: `The host did not answer as it should. ${ONCE_MORE}`,
  invalid_path: `${CORRECT}: that is not a path here.`,
  io_error: ONCE_MORE,
  clipboard_error: ONCE_MORE,
  clipboard_empty: "The clipboard has nothing of that kind; ask the person to copy it first.",
  not_an_image: "That is not an image; send a PNG.",
  notification_error: ONCE_MORE,
  location_error: "The location is not available; ask the person where they are.",
  no_fix: "The location could not be determined; ask the person where they are.",
  audit_unavailable: "The person’s client cannot keep its log, so nothing runs; tell the person.",
  agent_disconnected: "The connection was lost while the person was asked; call again.",
  manifest_changed: "Your tools changed while the person was asked; call again.",
  cancelled: "The call was cancelled; do not repeat it unless the person asks for it.",
  interrupted:
    "The person’s client ended while this ran; look at what was done before you call again.",
  result_expired:
    "The result of that call is no longer kept; make a new call if you still need it.",
  internal_error: ONCE_MORE,
  unknown_tool: "There is no tool of that name; use one that is offered.",
  arguments_not_json: `${CORRECT}: they were not a JSON object.`,
  call_timeout:
    "No answer came in time; do not repeat this call by yourself, ask the person whether they still want it.",
  aborted: "The call was cancelled; do not repeat it.",
  rate_limited: "Too many calls in a minute; wait before you call again.",
  not_sent: `The call could not be sent. ${ONCE_MORE}`,
  response_unreadable:
    "The answer could not be read; do not repeat this call, and tell the person.",
};

/** @param violation where the arguments are wrong, when that is known */
export function adviceFor(code: OutcomeCode, violation?: SchemaViolation): string {
  if (violation === undefined) return ADVICE[code];
  const { pointer, keyword } = violation;
  const place = pointer === "" ? "at the top level" : `at ${pointer}`;
  return `${CORRECT} ${place}, which break the schema’s "${keyword}", and call again.`;
}

export function outcomeCodeOf({ failure }: ToolCallError): OutcomeCode {
  switch (failure.kind) {
    case "denied":
    case "failed":
      return failure.reason;
    case "timeout":
      return "call_timeout";
    case "aborted":
      return "aborted";
    case "unsent":
      return unsentCode(failure.code);
    case "unreadable":
      return "response_unreadable";
  }
}

function unsentCode(code: string): OutcomeCode {
  switch (code) {
    case "RATE_LIMITED":
      return "rate_limited";
    case "tool_not_declared":
    case "payload_too_large":
      return code;
    default:
      return "not_sent";
  }
}
