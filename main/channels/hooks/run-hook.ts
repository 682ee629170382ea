import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { dataFolder } from "../../client/launch/data-folder.ts";
import { tokenFolder } from "../local/client-token.ts";
import { httpAccess } from "../local/http-access.ts";
import { socketAddress } from "../local/socket-address.ts";
import { askHere, tellHere } from "./ask-here.ts";
import { hookAnswer } from "./hook-answer.ts";
import { HOOK_NAMES, type HookPlace, hookToken } from "./hook-connection.ts";
import { HTTP_HOOK_AGENT, httpHookSettings } from "./hook-http-settings.ts";
import { HOOK_SOCKET } from "./hook-ops.ts";
import { HOOK_AGENTS, type HookAgent, hookInput } from "./hook-question.ts";
import { readHookReport } from "./hook-report.ts";

const usage = (command: string): string =>
  `Usage: ${command} AGENT [--limit SECONDS] [--http] [--data-dir DIR]
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

function flags(argv: readonly string[], command: string) {
  if (argv.includes("--help")) throw new TypeError(usage(command));
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      limit: { type: "string" },
      http: { type: "boolean", default: false },
      "data-dir": { type: "string" },
    },
  });
  const agent = HOOK_AGENTS.find((each) => each === positionals[0]);
  if (agent === undefined || positionals.length > 1) throw new TypeError(usage(command));
  const limit = values.limit === undefined ? LIMITS[agent] : Number(values.limit);
  const { http } = values;
  if (!(limit > 0) || (http && agent !== HTTP_HOOK_AGENT)) throw new TypeError(usage(command));
  const dataDir = dataFolder(values["data-dir"] ?? null);
  const limitMs = Math.ceil(limit * 1000);
  return { http, limitMs, place: { agent, dataDir, tokens: tokenFolder() } };
}

/** Asks the person to add the agent if they have not yet, and prints what it needs. */
async function printSettings(place: HookPlace): Promise<number> {
  const access = await httpAccess({
    address: socketAddress(place.dataDir, HOOK_SOCKET),
    token: hookToken(place),
    name: HOOK_NAMES[place.agent],
    start: async () => {},
    say: (line) => console.error(line),
  });
  if (access === null) return REFUSED;
  console.log(JSON.stringify(httpHookSettings(access), null, 2));
  return 0;
}

async function run(argv: readonly string[], command: string): Promise<number> {
  const { http, limitMs, place } = flags(argv, command);
  if (http) return printSettings(place);
  const bytes = await buffer(process.stdin);
  const report = readHookReport(place.agent, bytes);
  if (report !== null) {
    if (report !== "unreadable") await tellHere(report, place);
    // What is done is done: nothing said here can be a no any more.
    return 0;
  }
  const decision = await askHere(hookInput(bytes), {
    ...place,
    late: AbortSignal.timeout(limitMs),
  });
  const { stdout, stderr, exitCode } = hookAnswer(place.agent, decision);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  return exitCode;
}

/** The exit code that every agent takes as a no. */
const REFUSED = 2;

/**
 * An agent's permission hook (docs/hooks.md): one question or report on standard input.
 * @param command how people type it
 * @returns the exit code. Whatever fails: the one that every agent takes as a no, and never another one
 */
export async function runHook(argv: readonly string[], command: string): Promise<number> {
  try {
    return await run(argv, command);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : "Consentry failed."}\n`);
    return REFUSED;
  }
}
