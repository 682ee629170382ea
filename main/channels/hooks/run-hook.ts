import { existsSync, readSync, rmSync, writeSync } from "node:fs";
import { replaceOwnFile } from "../../../runtime/files/own-file.ts";
import { dataFolder } from "../../client/launch/data-folder.ts";
import { tokenFolder } from "../local/client-token.ts";
import type { HookAgent } from "./agent-tools.ts";
import { askProgram } from "./ask-program.ts";
import type { HookAnswer } from "./hook-answer.ts";
import { type HookPlace, ownRulesFile } from "./hook-place.ts";

/** In seconds, each below what the agent waits where nobody has set it. */
const LIMITS: Readonly<Record<HookAgent, number>> = {
  "claude-code": 280,
  codex: 280,
  cursor: 25,
  gemini: 55,
  goose: 25,
  vscode: 25,
};
const CHUNK_BYTES = 64 * 1024;
/** The only agent with hooks over HTTP. */
const HTTP_AGENT: HookAgent = "claude-code";

const usage = (command: string): string =>
  `Usage: ${command} AGENT [--limit SECONDS] [--http] [--data-dir DIR]
AGENT is one of: ${Object.keys(LIMITS).join(", ")}
With --http, for ${HTTP_AGENT}: prints the settings for hooks over HTTP.`;

const isAgent = (word: string | undefined): word is HookAgent =>
  word !== undefined && Object.hasOwn(LIMITS, word);

/** By hand: what Node has for it takes as long to load as the program to answer. */
function flags(argv: readonly string[], command: string) {
  const wrong = () => new TypeError(usage(command));
  const values = new Map<string, string>();
  let http = false;
  const words = [...argv];
  let agent: string | undefined;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, name = "", joined] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === "--http" && joined === undefined) http = true;
    else if (VALUED.has(name)) values.set(name, joined ?? words.shift() ?? "");
    else if (agent === undefined && name === "") agent = word;
    else throw wrong();
  }
  if (!isAgent(agent)) throw wrong();
  const limit = Number(values.get("--limit") ?? LIMITS[agent]);
  if (!(limit > 0) || (http && agent !== HTTP_AGENT)) throw wrong();
  const dataDir = dataFolder(values.get("--data-dir") ?? null);
  const place: HookPlace = { agent, dataDir, tokens: tokenFolder() };
  return { http, limitMs: Math.ceil(limit * 1000), place };
}

const VALUED: ReadonlySet<string> = new Set(["--limit", "--data-dir"]);

async function run(argv: readonly string[], command: string): Promise<number> {
  const { http, limitMs, place } = flags(argv, command);
  if (http) return (await import("./hook-http-settings.ts")).printHttpSettings(place);
  const bytes = await standardInput();
  const said = await askProgram(place, "hook", bytes, limitMs);
  // It was a report.
  if (said === "") return 0;
  const { stdout, stderr, exitCode, own_rules }: HookAnswer = JSON.parse(said);
  if (stdout !== "") writeSync(1, stdout);
  if (stderr !== "") writeSync(2, stderr);
  if (own_rules !== undefined) keepOwnRules(ownRulesFile(place), own_rules);
  return exitCode;
}

/** For when the program cannot be asked. */
function keepOwnRules(file: string, isTheirs: boolean): void {
  if (existsSync(file) === isTheirs) return;
  if (isTheirs) replaceOwnFile(file, "");
  else rmSync(file, { force: true });
}

/** At once as far as the system lets us: Node's own stream takes longer to set up than the program to answer. */
async function standardInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const chunk = new Uint8Array(CHUNK_BYTES);
  try {
    for (;;) {
      const length = readSync(0, chunk);
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(chunk.slice(0, length));
    }
  } catch {
    // The agent has written no more so far; or, on Windows, has ended.
    for await (const rest of process.stdin) chunks.push(rest);
    return Buffer.concat(chunks);
  }
}

/** The exit code that every agent takes as a no. */
const REFUSED = 2;

/**
 * An agent's permission hook (docs/hooks.md): one question or report on standard input. An agent waits for it at each use
 * of a tool, so what most starts do not need is loaded when it is needed.
 * @param command how people type it
 * @returns the exit code. Whatever fails: the one that every agent takes as a no, and never another one
 */
export async function runHook(argv: readonly string[], command: string): Promise<number> {
  try {
    return await run(argv, command);
  } catch (error) {
    writeSync(2, `${error instanceof Error ? error.message : "Consentry failed."}\n`);
    return REFUSED;
  }
}
