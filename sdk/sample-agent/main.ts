import { parseArgs } from "node:util";
import { NOT_ADDED_EXIT } from "../../app/contract/connected-model.ts";
import { AgentError, HasheeAgent, PairingError } from "../index.ts";
import { keysOfOneRun } from "./keys-of-one-run.ts";
import { manifest } from "./manifest.ts";
import { notesFolder } from "./notes-folder.ts";
import { jsonReport, plainReport, type Report } from "./report.ts";
import { runCalls } from "./run-calls.ts";
import { tellParent } from "./tell-parent.ts";

const USAGE = "Usage: sample-agent --hub URL [--name NAME] [--folder DIR] [--json]";
const EXIT = { ok: 0, trouble: 1, usage: 2, interrupted: 130 } as const;

const OPTIONS = {
  hub: { type: "string" },
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
  if (!(error instanceof PairingError || error instanceof AgentError)) throw error;
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
