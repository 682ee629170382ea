import { expect, it } from "vitest";
import { HOOK_AGENTS } from "./agent-tools.ts";
import { hookAnswer } from "./hook-answer.ts";

it.each(HOOK_AGENTS)("%s is told yes once, and nothing about its input or other calls", (agent) => {
  const { stdout, stderr, exitCode } = hookAnswer(agent, { allow: true });
  expect([stderr, exitCode]).toEqual(["", 0]);
  // Codex takes silence for a yes, and complains of anything else.
  expect(stdout === "").toBe(agent === "codex");
  const said = JSON.stringify(stdout === "" ? "" : JSON.parse(stdout));
  expect(said).not.toMatch(/ask|deny|block|updated|always|rule/i);
});

it.each(HOOK_AGENTS)("%s is told no by the exit code, with the reason for its model", (agent) => {
  const answer = hookAnswer(agent, { allow: false, reason: "The person denied it." });
  expect(answer).toEqual({ stdout: "", stderr: "The person denied it.\n", exitCode: 2 });
});

it("Goose and Gemini CLI are told yes in a word: Goose takes anything else as no decision", () => {
  for (const agent of ["goose", "gemini"] as const) {
    expect(JSON.parse(hookAnswer(agent, { allow: true }).stdout)).toEqual({ decision: "allow" });
  }
});
