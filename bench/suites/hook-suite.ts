import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave } from "../interleave.ts";
import { compare, reportOf } from "../report.ts";
import { startBuiltClient } from "../subjects/built-client.ts";
import { hookStart, NODE_ALONE, nodeAlone, type StartedHook } from "../subjects/hook-starts.ts";
import { PersonPage } from "../subjects/person-page.ts";
import type { SuiteParts, SuiteResult } from "./suite.ts";

const QUIET = "Permission hook, a question that needs nobody";
const REPORT = "Permission hook, a report";
const AWAY = "Permission hook, Consentry not running";
const STARTS_A_ROUND = 3;
const SCRIPT = fileURLToPath(new URL("../../scripts/hook.mjs", import.meta.url));

const said = (event: string, file_path: string, more: object = {}): string =>
  JSON.stringify({
    hook_event_name: event,
    session_id: "bench",
    cwd: dirname(file_path),
    tool_name: "Read",
    tool_input: { file_path },
    ...more,
  });

/** The whole life of a hook's process while another question waits, next to a Node that does nothing. */
export async function hookSuite({ flags, folder, ending, say }: SuiteParts): Promise<SuiteResult> {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const client = await startBuiltClient(dataDir, []);
  ending.defer(() => client.close());
  const page = await PersonPage.open(client.ui);
  ending.defer(() => page.close());
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config") };
  const hook: StartedHook = { agent: "claude-code", dataDir, env };
  const args = [SCRIPT, hook.agent, "--data-dir", dataDir];
  const ask = (file: string) => {
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.end(said("PreToolUse", file));
    return child;
  };
  const quiet = join(folder, "quiet.txt");
  const ended = once(ask(quiet), "exit");
  await page.acceptPairing(null);
  await page.allowInConversation(null);
  await ended;
  const waiting = ask(join(folder, "elsewhere", "waits.txt"));
  ending.defer(() => void waiting.kill());
  const away = { ...hook, dataDir: join(folder, "not-running") };
  const subjects = [
    nodeAlone(),
    hookStart(QUIET, hook, said("PreToolUse", quiet)),
    hookStart(REPORT, hook, said("PostToolUse", quiet, { tool_response: {} })),
    hookStart(AWAY, away, said("PreToolUse", quiet)),
  ];
  const measured = await interleave(subjects, { ...flags, calls: STARTS_A_ROUND }, say);
  return {
    about: `${flags.rounds} rounds, ${STARTS_A_ROUND} starts of each in a round, after a warm-up`,
    rows: reportOf(measured, null),
    comparisons: compare(
      measured,
      [QUIET, REPORT, AWAY].map((name) => [name, NODE_ALONE] as const),
    ),
    notes: [],
  };
}
