import {
  type JsonValue,
  type SafetyNumber,
  ToolCallError,
  type ToolResponseFields,
} from "../index.ts";

/** The outcome of one call. `trouble`: the person's client sent no coded answer. */
export type Outcome =
  | { readonly status: "ok"; readonly preview: string }
  | { readonly status: "denied"; readonly reason: string }
  | { readonly status: "error"; readonly reason: string; readonly error_code: string }
  | { readonly status: "trouble"; readonly reason: string };

/** Never rejects because of how a call ends. */
export async function outcomeOf(result: Promise<JsonValue>): Promise<Outcome> {
  try {
    return { status: "ok", preview: preview(await result) };
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    const { failure } = error;
    if (failure.kind === "denied") return { status: "denied", reason: failure.reason };
    if (failure.kind !== "failed") return { status: "trouble", reason: error.code };
    return { status: "error", reason: failure.reason, error_code: failure.code };
  }
}

export function outcomeOfResponse(response: ToolResponseFields): Outcome {
  const { status, result = null, reason = "", error_code = "" } = response;
  if (status === "ok") return { status, preview: preview(result) };
  return status === "denied" ? { status, reason } : { status, reason, error_code };
}

const PREVIEW_CHARS = 60;
/** Control, format and separator characters could move the terminal's cursor or hide text. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The start of a result on one line, safe to print. */
function preview(result: JsonValue): string {
  const text = JSON.stringify(result).replace(
    UNPRINTABLE,
    (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return text.length <= PREVIEW_CHARS ? text : `${text.slice(0, PREVIEW_CHARS)}…`;
}

/** Where the sample agent says what happens: for a person, or as JSON lines for a program. */
export interface Report {
  code(code: string): void;
  paired(agentId: string, grantedScopes: readonly string[]): void;
  /** With the code: only where the hub is elsewhere, the person compares this too. */
  safetyNumber(number: SafetyNumber): void;
  call(tool: string, outcome: Outcome): void;
  done(outcomes: readonly Outcome[]): void;
  /** The run ended early. */
  failed(reason: string): void;
}

type Print = (line: string) => void;

export const plainReport = (print: Print): Report => ({
  code(code) {
    print(`Code: ${code}`);
    print("In Consentry, add the agent that shows this code.");
  },
  paired(agentId, scopes) {
    print(`Added as ${agentId}. Allowed: ${scopes.length === 0 ? "nothing" : scopes.join(", ")}.`);
  },
  safetyNumber({ digits }) {
    print(`If the hub is on another computer, compare the safety number too: ${digits}`);
  },
  call(tool, outcome) {
    print(`${tool}: ${inWords(outcome)}`);
  },
  done(outcomes) {
    const answered = outcomes.filter(({ status }) => status !== "trouble").length;
    print(`Done: ${answered} of ${outcomes.length} calls were answered.`);
  },
  failed(reason) {
    print(`Stopped: ${reason}.`);
  },
});

export function jsonReport(print: Print): Report {
  const line = (value: object) => print(JSON.stringify(value));
  return {
    code: (code) => line({ event: "code", code }),
    paired: (agent_id, granted_scopes) => line({ event: "paired", agent_id, granted_scopes }),
    safetyNumber: ({ digits, words }) => line({ event: "safety_number", digits, words }),
    call: (tool, outcome) => line({ event: "call", tool, ...outcome }),
    done: (outcomes) => line({ event: "done", calls: outcomes.length }),
    failed: (reason) => line({ event: "failed", reason }),
  };
}

function inWords(outcome: Outcome): string {
  switch (outcome.status) {
    case "ok":
      return `ok, ${outcome.preview}`;
    case "denied":
      return `denied (${outcome.reason})`;
    case "error":
      return `failed (${outcome.error_code}, ${outcome.reason})`;
    case "trouble":
      return `no answer (${outcome.reason})`;
  }
}
