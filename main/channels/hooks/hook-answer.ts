import type { RaisedBy } from "../../../app/contract/consent-request.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { HookAgent } from "./agent-tools.ts";
import type { HookQuestion } from "./hook-question.ts";

export type HookVerdict =
  | {
      readonly kind: "allowed";
      /** What the tool is to be given, where the agent asked the person for it. */
      readonly input?: JsonObject;
    }
  /** The agent decides by its own rules. */
  | { readonly kind: "passed" }
  /** The agent is to ask the person, whatever its own rules say; its question comes here. */
  | { readonly kind: "raised"; readonly why: readonly RaisedBy[] }
  | {
      readonly kind: "refused";
      /** Of the contract's table, or `put_off` when the program is closing. */
      readonly reason: string;
      /** What the person told the agent with a denial. */
      readonly message?: string;
    };

/** Why the program was not heard. */
export type Unheard = "unreachable" | "lost" | "unproven" | "other_version" | "no_answer";

/**
 * The person's answer, or why there is none; `reason` is for the agent's model to read. `null`: the agent
 * decides by its own rules; `ask`: it asks the person itself.
 */
export type HookDecision =
  | { readonly allow: true | null; readonly input?: JsonObject | undefined }
  | { readonly allow: false | "ask"; readonly reason: string };

/** A decision about the agent's own question, which has a form of its own. */
export type HeardDecision = HookDecision & {
  readonly event: HookQuestion["event"];
  readonly own_rules?: boolean;
};

/** What a hook program says and how it ends. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
  /** Whether the agent decides by its own rules where Consentry is not running; absent: as before. */
  readonly own_rules?: boolean;
}

const preToolUse = (permissionDecision: "allow" | "ask" | "deny", reason?: string): string =>
  JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason: reason,
    },
  });

/**
 * How each agent is told yes: once, with the input as it is, and nothing about other calls. Codex takes silence for
 * that, and logs anything else as a hook that failed.
 */
const YES: Readonly<Record<HookAgent, string>> = {
  "claude-code": preToolUse("allow"),
  codex: "",
  vscode: preToolUse("allow"),
  cursor: JSON.stringify({ permission: "allow" }),
  gemini: JSON.stringify({ decision: "allow" }),
  goose: JSON.stringify({ decision: "allow" }),
};

/**
 * For a hook of type `http`, which has no exit code.
 * @returns the body of an answer with status 200: any other status is no answer to the agent
 */
export function httpAnswer(decision: HeardDecision): string {
  if (decision.event === "permission") return permissionAnswer(decision) || "{}";
  if (decision.allow === "ask") return preToolUse("ask", decision.reason);
  if (decision.allow === false) return preToolUse("deny", decision.reason);
  return decision.allow === null ? "{}" : preToolUse("allow");
}

/** A hook's own process, or `--permission-prompt-tool`. */
export type HookForm = "hook" | "prompt";

export const formOf = (agent: HookAgent, form: HookForm, decision: HeardDecision): string =>
  form === "prompt"
    ? promptAnswer(decision)
    : JSON.stringify({ ...hookAnswer(agent, decision), own_rules: decision.own_rules });

/** For `--permission-prompt-tool`, which has no word for "this once" and none for "as you like". */
function promptAnswer(decision: HookDecision): string {
  if (decision.allow === true) return JSON.stringify(allowed(decision));
  const message = decision.allow === false ? decision.reason : OWN_WORDS.no_answer;
  return JSON.stringify(refused(message));
}

/** All of them take exit code 2 as a no, and give the model what stands on standard error. */
export function hookAnswer(agent: HookAgent, decision: HeardDecision): HookAnswer {
  if (decision.event === "permission") {
    const said = permissionAnswer(decision);
    return { stdout: said === "" ? "" : `${said}\n`, stderr: "", exitCode: 0 };
  }
  if (decision.allow === false) return { stdout: "", stderr: `${decision.reason}\n`, exitCode: 2 };
  const said = decision.allow === null ? "" : wordFor(agent, decision);
  return { stdout: said === "" ? "" : `${said}\n`, stderr: "", exitCode: 0 };
}

const wordFor = (agent: HookAgent, decision: HookDecision): string =>
  decision.allow === "ask" ? preToolUse("ask", decision.reason) : YES[agent];

/** To the agent's own question: a decision is the person's, and silence leaves it to the agent's dialog. */
function permissionAnswer(decision: HookDecision): string {
  if (decision.allow === null || decision.allow === "ask") return "";
  const said = "reason" in decision ? refused(decision.reason) : allowed(decision);
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: said },
  });
}

const refused = (message: string): JsonObject => ({ behavior: "deny", message });

/** Claude Code takes a yes to a plan or a question only with what its tool is to be given. */
const allowed = ({ input }: { readonly input?: JsonObject | undefined }): JsonObject => ({
  behavior: "allow",
  ...(input && { updatedInput: input }),
});

/** Why an agent is told no although nobody refused its call. */
const OWN_WORDS = {
  unreadable: "Consentry cannot read what this agent's hook sent.",
  unknown_tool: "Consentry cannot show the person exactly what this tool would do.",
  no_answer: "The person did not answer in time.",
  refused: "The person refused to let this agent ask.",
  not_asked: "The person was not asked: too many requests wait, or nobody answered the last one.",
  unreachable: "Consentry is not running. Ask the person to start it.",
  lost: "The connection to Consentry was lost.",
  put_off: "Consentry was closed before the person answered.",
  unproven: "Consentry cannot see which program this hook is.",
  other_version: "This hook belongs to another version of Consentry.",
  internal_error: "Consentry failed.",
} satisfies Record<Unheard, string> & Record<string, string>;

/** The contract's reasons that a model can do something about; the others have their code. */
const REASONS: Readonly<Record<string, string>> = {
  keep_planning: "The person has not approved this plan. Keep planning.",
  not_answered: "The person does not want to answer this question.",
  user_refused: "The person denied this. Do not try it again or another way.",
  user_timeout: "The person did not answer in time.",
  permission_revoked: "The person has revoked this permission or suspended this agent.",
  scope_not_granted: "The person has not granted this permission.",
  consent_queue_full: "Too many requests wait for the person. Wait for their answers.",
  payload_too_large: "This is too large for the person to look at. Do it in smaller parts.",
};

/**
 * @param code one of ours, or a reason of the contract's table
 * @param message what the person told the agent
 */
export function denial(code: string, message?: string): HookDecision {
  const words: Readonly<Record<string, string>> = { ...REASONS, ...OWN_WORDS };
  const why = Object.hasOwn(words, code) ? words[code] : "Consentry did not allow this.";
  const told = message === undefined ? "" : ` They say: ${message}`;
  return { allow: false, reason: `${why} Nothing ran. (${code})${told}` };
}

/** Why a call is high, for the person to read in the agent's dialog, or its model where that can ask nobody. */
const RAISED: Readonly<Record<RaisedBy, string>> = {
  unreadable: "this line cannot be read exactly",
  dangerous: "this can do harm",
  special_place: "this is about a special place",
  outside_project: "this leaves the project",
  destructive: "this destroys something",
  leaves_sandbox: "this leaves the sandbox",
};

/** What the program decided, for the agent. */
export function decisionOf(verdict: HookVerdict): HookDecision {
  if (verdict.kind === "raised") {
    const why = [...new Set(verdict.why)].map((each) => RAISED[each]).join(", ");
    return { allow: "ask", reason: `Consentry wants the person to be asked${why && `: ${why}`}.` };
  }
  if (verdict.kind === "refused") return denial(verdict.reason, verdict.message);
  return verdict.kind === "allowed" ? { allow: true, input: verdict.input } : { allow: null };
}
