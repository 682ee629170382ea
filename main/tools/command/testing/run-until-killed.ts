import { flushCompileCache } from "node:module";
import { runCommandTool } from "../../run-command.ts";
import { rootOf } from "./command-harness.ts";

// A killed process leaves nothing behind for the next one to start with.
flushCompileCache();

/**
 * A client in a process of its own that runs one command, and is killed by the test.
 * Arguments: the root, the data folder, `plain` for no sandbox, then the command.
 */
const [, , directory = "", dataDir = "", sandbox, ...argv] = process.argv;
const running = runCommandTool({
  ownFolders: [dataDir],
  ...(sandbox === "plain" ? { probe: null } : {}),
}).run(
  { argv, directory },
  {
    call_id: "call",
    agent_id: "a",
    agent_name: "A",
    conversation_id: "c",
    roots: [rootOf(directory)],
    hosts: [],
    whole_scope: false,
    seen: null,
    progress: () => {},
    signal: new AbortController().signal,
  },
);
process.stdout.write("running\n");
await running;
