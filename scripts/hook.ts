import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import type { JsonValue } from "../app/contract/json.ts";
import { parseStrictJson, StrictJsonError } from "../app/contract/strict-json.ts";
import { askHere } from "../main/channels/hooks/ask-here.ts";
import { hookAnswer } from "../main/channels/hooks/hook-answer.ts";
import { HOOK_AGENTS, type HookAgent } from "../main/channels/hooks/hook-question.ts";
import { tokenFolder } from "../main/channels/local/client-token.ts";
import { dataFolder } from "../main/client/launch/data-folder.ts";

/** An agent's permission hook (docs/hooks.md): one question on standard input, and its answer. */
const USAGE = `Usage: npm run --silent hook -- AGENT [--limit SECONDS] [--data-dir DIR]
AGENT is one of: ${HOOK_AGENTS.join(", ")}`;

/** Bytes of a question; a call that the person is asked about is far smaller. */
const INPUT_BYTES = 8 * 1024 * 1024;

/** In seconds, each below what the agent waits where nobody has set it. */
const LIMITS: Readonly<Record<HookAgent, number>> = {
  "claude-code": 280,
  codex: 280,
  cursor: 25,
  gemini: 55,
  goose: 25,
  vscode: 25,
};

async function question(): Promise<JsonValue> {
  try {
    return parseStrictJson(await buffer(process.stdin), INPUT_BYTES);
  } catch (error) {
    if (error instanceof StrictJsonError) return null;
    throw error;
  }
}

function flags() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { limit: { type: "string" }, "data-dir": { type: "string" } },
  });
  const agent = HOOK_AGENTS.find((each) => each === positionals[0]);
  if (agent === undefined || positionals.length > 1) throw new TypeError(USAGE);
  const limit = values.limit === undefined ? LIMITS[agent] : Number(values.limit);
  if (!(limit > 0)) throw new TypeError(USAGE);
  return { agent, limitMs: limit * 1000, dataDir: dataFolder(values["data-dir"] ?? null) };
}

async function run(): Promise<void> {
  // Whatever fails: the exit code that every agent takes as a no, and never another one.
  process.exitCode = 2;
  const { agent, ...options } = flags();
  const decision = await askHere(await question(), { agent, ...options, tokens: tokenFolder() });
  const { stdout, stderr, exitCode } = hookAnswer(agent, decision);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : "Consentry failed."}\n`);
}
