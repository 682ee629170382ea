import type { LocalClientError } from "../local/local-client.ts";
import type { HookDecision } from "./hook-answer.ts";

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
  not_paired: "This agent is not connected to Consentry.",
  unknown_op: "This hook belongs to another version of Consentry.",
  invalid_arguments: "This hook belongs to another version of Consentry.",
  internal_error: "Consentry failed.",
} satisfies Record<LocalClientError["code"], string> & Record<string, string>;

export type DenialCode = keyof typeof OWN_WORDS;

/** The contract's reasons that a model can do something about; the others have their code. */
const REASONS: Readonly<Record<string, string>> = {
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
