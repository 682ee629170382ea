import type { HookAgent } from "./hook-question.ts";

/** The person's answer, or why there is none; `reason` is for the agent's model to read. */
export type HookDecision =
  | { readonly allow: true }
  | { readonly allow: false; readonly reason: string };

/** What a hook program says and how it ends. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
}

const preToolUse = JSON.stringify({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" },
});

/** How each agent is told yes: once, with the input as it is, and nothing about other calls. */
const YES: Readonly<Record<HookAgent, string>> = {
  "claude-code": preToolUse,
  codex: preToolUse,
  vscode: preToolUse,
  cursor: JSON.stringify({ permission: "allow" }),
  gemini: JSON.stringify({ decision: "allow" }),
  goose: JSON.stringify({ decision: "allow" }),
};

/**
 * For a hook of type `http`, which has no exit code.
 * @returns the body of an answer with status 200: any other status is no answer to the agent
 */
export const httpAnswer = (decision: HookDecision): string =>
  decision.allow
    ? preToolUse
    : JSON.stringify({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: decision.reason,
        },
      });

/** For `--permission-prompt-tool`, which has no word for "this once": it never means more. */
export const promptAnswer = (decision: HookDecision): string =>
  JSON.stringify(
    decision.allow ? { behavior: "allow" } : { behavior: "deny", message: decision.reason },
  );

/** All of them take exit code 2 as a no, and give the model what stands on standard error. */
export const hookAnswer = (agent: HookAgent, decision: HookDecision): HookAnswer =>
  decision.allow
    ? { stdout: `${YES[agent]}\n`, stderr: "", exitCode: 0 }
    : { stdout: "", stderr: `${decision.reason}\n`, exitCode: 2 };
