import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { NOT_ADDED_EXIT } from "../../app/contract/connected-model.ts";
import { AgentError, HasheeAgent, type KeyStore } from "../index.ts";
import { manifest } from "./manifest.ts";
import { jsonReport, plainReport, type Report } from "./report.ts";
import { runCalls } from "./run-calls.ts";

interface ParentPort {
  postMessage(message: unknown): void;
}

/** To the program that started this one, so that its page can show the code; a shell hears nothing. */
function tellParent(message: object): void {
  // Electron's line to a program it started; Node's own is `process.send`.
  const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };
  if (parentPort !== undefined) parentPort.postMessage(message);
  // A parent that has gone is none to tell.
  else process.send?.(message, () => {});
}

interface NotesFolder {
  /** Absolute: the client does not know this process's working directory. */
  readonly path: string;
  dispose(): Promise<void>;
}

/** The folder asked for, or a new temporary one with a `notes.md`, removed afterwards. */
async function notesFolder(chosen: string | undefined): Promise<NotesFolder> {
  if (chosen !== undefined) return { path: resolve(chosen), async dispose() {} };
  const path = await mkdtemp(join(tmpdir(), "sample-agent-"));
  await writeFile(join(path, "notes.md"), "# Notes\n\nBuy milk. Call Ada.\n");
  return { path, dispose: () => rm(path, { recursive: true, force: true }) };
}

/** This agent is paired at each run, so its keys stay in memory and leave no folder behind. */
function keysOfOneRun(): KeyStore {
  const records = new Map<string, Uint8Array>();
  return {
    load: async () => new Map(records),
    save: async (changes) => {
      for (const [name, bytes] of changes) {
        if (bytes === null) records.delete(name);
        else records.set(name, bytes);
      }
    },
  };
}

const USAGE = "Usage: sample-agent --hub URL [--user ID] [--name NAME] [--folder DIR] [--json]";
const EXIT = { ok: 0, trouble: 1, usage: 2, interrupted: 130 } as const;

const OPTIONS = {
  hub: { type: "string" },
  user: { type: "string" },
  name: { type: "string", default: "Sample agent" },
  folder: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

function readFlags() {
  try {
    const { hub, ...rest } = parseArgs({ options: OPTIONS }).values;
    return hub === undefined ? undefined : { hub, ...rest };
  } catch {
    return undefined;
  }
}

async function run(flags: NonNullable<ReturnType<typeof readFlags>>): Promise<number> {
  const print = (line: string) => console.log(line);
  const report = flags.json ? jsonReport(print) : plainReport(print);
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  // Once: a second Ctrl-C ends the program at once.
  process.once("SIGINT", onInterrupt);
  const folder = await notesFolder(flags.folder);
  try {
    const { agent, credentials } = await HasheeAgent.pair({
      name: flags.name,
      manifest,
      baseUrl: flags.hub,
      ...(flags.user === undefined ? {} : { userId: flags.user }),
      keyStore: keysOfOneRun(),
      onCode: (code) => {
        report.code(code);
        tellParent({ event: "code", code });
      },
      onSafetyNumber: (number) => report.safetyNumber(number),
      signal: interrupt.signal,
    });
    interrupt.signal.addEventListener("abort", () => agent.disconnect());
    report.paired(credentials.agentId, credentials.grantedScopes);
    const outcomes = await runCalls(agent, credentials.conversationId, folder.path, report);
    agent.disconnect();
    report.done(outcomes);
    if (interrupt.signal.aborted) return EXIT.interrupted;
    return outcomes.some(({ status }) => status === "trouble") ? EXIT.trouble : EXIT.ok;
  } catch (error) {
    return failed(error, report);
  } finally {
    process.off("SIGINT", onInterrupt);
    await folder.dispose();
  }
}

function failed(error: unknown, report: Report): number {
  if (!(error instanceof AgentError || error instanceof AgentError)) throw error;
  report.failed(error.code);
  if (error.code === "refused" || error.code === "expired") return NOT_ADDED_EXIT;
  return error.code === "aborted" ? EXIT.interrupted : EXIT.trouble;
}

const flags = readFlags();
if (flags === undefined) {
  console.error(USAGE);
  process.exitCode = EXIT.usage;
} else {
  process.exitCode = await run(flags);
}
