import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("hook.ts", import.meta.url));
const QUESTION = {
  session_id: "s",
  cwd: "/",
  tool_name: "Bash",
  tool_input: { command: "echo hi" },
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "consentry-hook-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function hook(words: readonly string[], input: string) {
  const env = { PATH: "", HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: home };
  return spawnSync(process.execPath, [SCRIPT, ...words], { env, input, encoding: "utf8" });
}

it.each([
  ["Consentry is not running", JSON.stringify(QUESTION), "not running"],
  ["a tool that cannot be shown", JSON.stringify({ ...QUESTION, tool_name: "Task" }), "exactly"],
  ["what is no JSON", "{ half", "cannot read"],
  ["nothing at all", "", "cannot read"],
])("denies when there is %s, with a sentence and the exit code for no", (_, input, said) => {
  const { status, stdout, stderr } = hook(["claude-code", "--data-dir", join(home, "data")], input);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(said);
});

it.each([[["notepad"]], [[]], [["codex", "--limit", "never"]], [["codex", "--frobnicate"]]])(
  "denies when it was set up wrongly: %j",
  (words) => {
    const { status, stderr } = hook(words, JSON.stringify(QUESTION));
    expect(status).toBe(2);
    expect(stderr).not.toBe("");
  },
);
