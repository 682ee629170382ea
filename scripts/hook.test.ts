import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SCRIPT = join(ROOT, "scripts/hook.mjs");
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

function hook(words: readonly string[], input: string, script = SCRIPT) {
  const env = { PATH: "", HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: home };
  return spawnSync(process.execPath, [script, ...words], { env, input, encoding: "utf8" });
}

it.each([
  ["Consentry is not running", JSON.stringify(QUESTION), "not running"],
  [
    "a use of a tool that cannot be shown",
    JSON.stringify({ ...QUESTION, tool_input: {} }),
    "exactly",
  ],
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

describe("in another checkout", () => {
  const WORDS = ["claude-code", "--data-dir", "consentry-data"];
  let script: string;
  beforeEach(() => {
    mkdirSync(join(home, "scripts"));
    script = join(home, "scripts/hook.mjs");
    copyFileSync(SCRIPT, script);
  });

  it("runs what was built", () => {
    mkdirSync(join(home, "dist/main"), { recursive: true });
    const built = 'exports.runHook = async (argv) => console.log("built", ...argv) ?? 0;';
    writeFileSync(join(home, "dist/main/run-hook.cjs"), built);
    const { status, stdout } = hook(WORDS, "{}", script);
    expect([status, stdout]).toEqual([0, `built ${WORDS.join(" ")}\n`]);
  });

  it("runs the sources where nothing is built", () => {
    symlinkSync(join(ROOT, "main"), join(home, "main"), "junction");
    const { status, stderr } = hook(WORDS, JSON.stringify(QUESTION), script);
    expect(status).toBe(2);
    expect(stderr).toContain("not running");
  });

  it("denies where nothing can be loaded", () => {
    expect(hook(WORDS, JSON.stringify(QUESTION), script).status).toBe(2);
  });
});
