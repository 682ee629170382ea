import type { SafetyNumber } from "../index.ts";
import type { Outcome } from "./outcome.ts";

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
