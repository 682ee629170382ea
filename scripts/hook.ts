import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import type { JsonValue } from "../app/contract/json.ts";
import { parseStrictJson, StrictJsonError } from "../app/contract/strict-json.ts";
import { askHere, tellHere } from "../main/channels/hooks/ask-here.ts";
import { hookAnswer } from "../main/channels/hooks/hook-answer.ts";
import { HOOK_NAMES, type HookPlace, hookToken } from "../main/channels/hooks/hook-connection.ts";
import { HTTP_HOOK_AGENT, httpHookSettings } from "../main/channels/hooks/hook-http-settings.ts";
import { HOOK_SOCKET } from "../main/channels/hooks/hook-ops.ts";
import {
  HOOK_AGENTS,
  HOOK_INPUT_BYTES,
  type HookAgent,
} from "../main/channels/hooks/hook-question.ts";
import { readHookReport } from "../main/channels/hooks/hook-report.ts";
import { tokenFolder } from "../main/channels/local/client-token.ts";
import { httpAccess } from "../main/channels/local/http-access.ts";
import { socketAddress } from "../main/channels/local/socket-address.ts";
import { dataFolder } from "../main/client/launch/data-folder.ts";

/** An agent's permission hook (docs/hooks.md): one question or report on standard input. */
const USAGE = `Usage: npm run --silent hook -- AGENT [--limit SECONDS] [--http] [--data-dir DIR]
AGENT is one of: ${HOOK_AGENTS.join(", ")}
With --http, for ${HTTP_HOOK_AGENT}: prints the settings for hooks over HTTP.`;

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
    return parseStrictJson(await buffer(process.stdin), HOOK_INPUT_BYTES);
  } catch (error) {
    if (error instanceof StrictJsonError) return null;
    throw error;
  }
}

function flags() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      limit: { type: "string" },
      http: { type: "boolean", default: false },
      "data-dir": { type: "string" },
    },
  });
  const agent = HOOK_AGENTS.find((each) => each === positionals[0]);
  if (agent === undefined || positionals.length > 1) throw new TypeError(USAGE);
  const limit = values.limit === undefined ? LIMITS[agent] : Number(values.limit);
  const { http } = values;
  if (!(limit > 0) || (http && agent !== HTTP_HOOK_AGENT)) throw new TypeError(USAGE);
  const dataDir = dataFolder(values["data-dir"] ?? null);
  return { http, options: { agent, dataDir, limitMs: limit * 1000, tokens: tokenFolder() } };
}

/** Asks the person to add the agent if they have not yet, and prints what it needs. */
async function printSettings(place: HookPlace): Promise<void> {
  const access = await httpAccess({
    address: socketAddress(place.dataDir, HOOK_SOCKET),
    token: hookToken(place),
    name: HOOK_NAMES[place.agent],
    start: async () => {},
    say: (line) => console.error(line),
  });
  if (access === null) return;
  console.log(JSON.stringify(httpHookSettings(access), null, 2));
  process.exitCode = 0;
}

async function run(): Promise<void> {
  // Whatever fails: the exit code that every agent takes as a no, and never another one.
  process.exitCode = 2;
  const { http, options } = flags();
  if (http) return printSettings(options);
  const input = await question();
  const report = readHookReport(options.agent, input);
  if (report !== null) {
    if (report !== "unreadable") await tellHere(report, options);
    // What is done is done: nothing said here can be a no any more.
    process.exitCode = 0;
    return;
  }
  const decision = await askHere(input, options);
  const { stdout, stderr, exitCode } = hookAnswer(options.agent, decision);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : "Consentry failed."}\n`);
}
