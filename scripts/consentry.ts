#!/usr/bin/env node
import { npxCommand } from "../main/apps/npx-command.ts";
import { runConnect } from "../main/apps/run-connect.ts";
import { runHook } from "../main/channels/hooks/run-hook.ts";
import { runMcp } from "../main/channels/mcp/run-mcp.ts";

/**
 * The SDK package's own command, for computers with Node: what apps start, and what enters it in their
 * settings. It reaches the program that runs, and starts none.
 */
const USAGE = `Usage: consentry mcp [--data-dir DIR] [--name NAME] [--http]
       consentry hook AGENT [--limit SECONDS] [--data-dir DIR]
       consentry connect [APP] [--hook] [--undo] [--yes] [--data-dir DIR]`;

function run([word, ...argv]: readonly string[]): Promise<number> {
  switch (word) {
    case "mcp":
      return runMcp(argv, null);
    case "hook":
      return runHook(argv, "consentry hook");
    case "connect":
      return runConnect(argv, "consentry connect", {
        ownCommand: (dataDir) => npxCommand(process.platform, dataDir),
      });
    default:
      console.error(USAGE);
      return Promise.resolve(2);
  }
}

// Until there is an answer: the exit code that every agent takes as a no.
process.exitCode = 2;
process.exitCode = await run(process.argv.slice(2));
