#!/usr/bin/env node
import { npxCommand } from "../main/connected-apps/npx-command.ts";

/**
 * The SDK package's own command, for computers with Node: what apps start, and what enters it in their
 * settings. It reaches the program that runs, and starts none. An agent waits for a hook each time it uses a
 * tool: each word loads what it needs alone.
 */
const USAGE = `Usage: consentry mcp [--data-dir DIR] [--name NAME] [--http]
       consentry hook AGENT [--limit SECONDS] [--data-dir DIR]
       consentry connect [APP] [--hook] [--undo] [--yes] [--data-dir DIR]`;

async function run([word, ...argv]: readonly string[]): Promise<number> {
  switch (word) {
    case "mcp": {
      const { runMcp } = await import("../main/channels/mcp/run-mcp.ts");
      return runMcp(argv, null);
    }
    case "hook": {
      const { runHook } = await import("../main/channels/hooks/run-hook.ts");
      return runHook(argv, "consentry hook");
    }
    case "connect": {
      const { runConnect } = await import("../main/connected-apps/run-connect.ts");
      return runConnect(argv, "consentry connect", {
        ownCommand: (dataDir, part) => npxCommand(process.platform, dataDir, part),
      });
    }
    case "--help":
      console.log(USAGE);
      return 0;
    default:
      console.error(USAGE);
      return 2;
  }
}

// The package takes Node 20, which has no such function.
Promise.withResolvers ??= function withResolvers<T>(this: PromiseConstructor) {
  let resolve!: PromiseWithResolvers<T>["resolve"];
  let reject!: PromiseWithResolvers<T>["reject"];
  const promise = new Promise<T>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
};

// Until there is an answer: the exit code that every agent takes as a no.
process.exitCode = 2;
process.exitCode = await run(process.argv.slice(2));
