import { digestOf } from "../../../app/contract/digest.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";
import type { CarriedOut } from "../../../app/contract/tool-call.ts";
import type { HookAgent } from "./agent-tools.ts";
import { type HookQuestion, hookInput, readHookInput, withoutMarks } from "./hook-question.ts";

/** What an agent says became of a call that it was allowed. */
export interface HookReport {
  /** The call, read as when the agent asked. */
  readonly question: HookQuestion;
  readonly status: CarriedOut;
  /** Of what it reports; null: that could not be read exactly. */
  readonly result_digest: string | null;
}

/** `by_error`: one event for both; the result says which. */
type Meaning = CarriedOut | "by_error";

/** The events that come after a tool, as each agent calls them. */
export const REPORT_EVENTS: Readonly<Record<HookAgent, Readonly<Record<string, Meaning>>>> = {
  "claude-code": { PostToolUse: "succeeded", PostToolUseFailure: "failed" },
  codex: { PostToolUse: "succeeded" },
  cursor: { postToolUse: "succeeded", postToolUseFailure: "failed" },
  gemini: { AfterTool: "by_error" },
  goose: { PostToolUse: "succeeded", PostToolUseFailure: "failed" },
  vscode: { PostToolUse: "succeeded" },
};

/** What has happened, as Claude Code and those like it, VS Code and Goose call it. */
const EVENTS = ["hook_event_name", "hookEventName", "event"] as const;
const RESULTS = ["tool_response", "tool_output", "error", "error_message"] as const;

/**
 * What an agent says after a tool. It has run, so nothing in a report is a reason to answer that nothing ran: one
 * that is no strict JSON is read as far as it can be.
 * @returns null: no report, so it is read as a question; `unreadable`: a report about nothing we know
 */
export function readHookReport(
  agent: HookAgent,
  bytes: Uint8Array,
): HookReport | "unreadable" | null {
  const exact = hookInput(bytes);
  const input = exact ?? looseInput(bytes);
  if (!isJsonObject(input)) return null;
  const event = EVENTS.map((name) => input[name]).find((value) => typeof value === "string");
  const events = REPORT_EVENTS[agent];
  if (event === undefined || !Object.hasOwn(events, event)) return null;
  const meaning = events[event];
  const read = readHookInput(agent, exact ?? withoutResults(input));
  if (meaning === undefined || read.kind !== "question") return "unreadable";
  const result = RESULTS.map((name) => input[name]).find((value) => value !== undefined) ?? null;
  return {
    question: read.question,
    status: meaning === "by_error" ? statusIn(result) : meaning,
    result_digest: exact === null ? null : digestOf(result),
  };
}

/** Which event it is stands at the top, where only the agent writes: what its model wrote is further in. */
function looseInput(bytes: Uint8Array): JsonValue {
  try {
    return JSON.parse(new TextDecoder().decode(withoutMarks(bytes)));
  } catch {
    return null;
  }
}

/** The call that it is about, which was strict JSON when the agent asked. Null: it was not. */
function withoutResults(input: JsonObject): JsonValue {
  const about = Object.entries(input).filter(([name]) => !RESULTS.some((each) => each === name));
  return hookInput(Buffer.from(JSON.stringify(Object.fromEntries(about))));
}

const statusIn = (result: JsonValue): CarriedOut =>
  isJsonObject(result) && hasError(result) ? "failed" : "succeeded";

const hasError = ({ error }: JsonObject): boolean => error !== undefined && error !== null;

/** Events by which a session shows that it waits for nobody: what it had asked was answered in its own dialog. */
export const SESSION_EVENTS = ["UserPromptSubmit", "Stop"] as const;
/** Claude Code's own; others would not know it. */
export const SESSION_END = "SessionEnd";

export interface SessionEvent {
  readonly session: string;
  /** What the person asked the agent last is over, and whether they have asked for something new. */
  readonly prompts: boolean;
}

/** The session that went on; null: this is no such event. */
export function sessionThatWentOn(bytes: Uint8Array): SessionEvent | null {
  const input = hookInput(bytes) ?? looseInput(bytes);
  if (!isJsonObject(input) || typeof input.session_id !== "string") return null;
  const event = [...SESSION_EVENTS, SESSION_END].find((each) => each === input.hook_event_name);
  if (event === undefined) return null;
  return { session: input.session_id, prompts: event === "UserPromptSubmit" };
}

const SESSIONS_KEPT = 256;

/** What the person asked each session last, while the agent works at it. */
export class Prompts {
  readonly #open = new Map<string, AbortController>();

  /** Aborted once that is done; undefined: the agent does not tell, or works at nothing. */
  of(agentId: string, session: string): AbortSignal | undefined {
    return this.#open.get(JSON.stringify([agentId, session]))?.signal;
  }

  /** The last one is over; @param begins another begins */
  went(agentId: string, session: string, begins: boolean): void {
    const key = JSON.stringify([agentId, session]);
    this.#end((each) => each === key);
    if (begins) this.#open.set(key, new AbortController());
    const [oldest] = this.#open.keys();
    if (this.#open.size > SESSIONS_KEPT) this.#end((each) => each === oldest);
  }

  gone(agentId: string): void {
    this.#end((key) => JSON.parse(key)[0] === agentId);
  }

  #end(isMeant: (key: string) => boolean): void {
    for (const [key, prompt] of this.#open) {
      if (!isMeant(key)) continue;
      this.#open.delete(key);
      prompt.abort();
    }
  }
}
