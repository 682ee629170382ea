import { expect, it } from "vitest";
import { HOOK_AGENTS } from "./agent-tools.ts";
import { type HookDecision, hookAnswer } from "./hook-answer.ts";

it.each(HOOK_AGENTS)("%s is told yes once, and nothing about its input or other calls", (agent) => {
  const { stdout, stderr, exitCode } = hookAnswer(agent, { allow: true, event: "before" });
  expect([stderr, exitCode]).toEqual(["", 0]);
  // Codex takes silence for a yes, and complains of anything else.
  expect(stdout === "").toBe(agent === "codex");
  const said = JSON.stringify(stdout === "" ? "" : JSON.parse(stdout));
  expect(said).not.toMatch(/ask|deny|block|updated|always|rule/i);
});

it.each(HOOK_AGENTS)("%s is told no by the exit code, with the reason for its model", (agent) => {
  const answer = hookAnswer(agent, {
    allow: false,
    reason: "The person denied it.",
    event: "before",
  });
  expect(answer).toEqual({ stdout: "", stderr: "The person denied it.\n", exitCode: 2 });
});

it("Goose and Gemini CLI are told yes in a word: Goose takes anything else as no decision", () => {
  for (const agent of ["goose", "gemini"] as const) {
    expect(JSON.parse(hookAnswer(agent, { allow: true, event: "before" }).stdout)).toEqual({
      decision: "allow",
    });
  }
});

it.each(["claude-code", "codex"] as const)(
  "%s is answered its own question in the form it has, or left to ask itself",
  (agent) => {
    const said = (decision: HookDecision) => {
      const { stdout, stderr, exitCode } = hookAnswer(agent, { ...decision, event: "permission" });
      expect([stderr, exitCode]).toEqual(["", 0]);
      return stdout === "" ? null : JSON.parse(stdout).hookSpecificOutput;
    };
    const hookEventName = "PermissionRequest";
    expect(said({ allow: true })).toEqual({ hookEventName, decision: { behavior: "allow" } });
    expect(said({ allow: false, reason: "Not that." })).toEqual({
      hookEventName,
      decision: { behavior: "deny", message: "Not that." },
    });
    expect(said({ allow: null })).toBeNull();
  },
);
