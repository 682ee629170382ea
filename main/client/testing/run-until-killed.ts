import { flushCompileCache } from "node:module";
import type { CallName } from "../../../app/bridge/calls.ts";
import { PROGRAMS } from "../../testing/built-programs.ts";
import { NO_SERVICES } from "../../tools/platform/platform-services.ts";
import { launch } from "../launch/launch.ts";
import { systemTime } from "../launch/system-time.ts";
import { ALL_SCOPES } from "./test-manifest.ts";

// A killed process leaves nothing behind for the next one to start with.
flushCompileCache();

/**
 * The client in a process of its own, to be killed: adds every agent that asks, and shows
 * notifications that never end. Prints where its hub is, and when one is being shown.
 * Argument: the data folder.
 */
const [, , dataDir = ""] = process.argv;
const say = (line: string) => process.stdout.write(`${line}\n`);

await launch(
  {
    flags: { host: "browser", port: 0, hubPort: 0, dataDir, lang: null, open: false },
    time: systemTime(),
    programs: PROGRAMS,
    quit: () => {},
    stdout: say,
    stderr: () => {},
  },
  {
    kind: "browser",
    platform: {
      ...NO_SERVICES,
      notifications: () => ({
        show() {
          say("showing");
          return new Promise<void>(() => {});
        },
      }),
    },
    page: null,
    deliverFile: async () => ({ kind: "cancelled" }),
    node: process.execPath,
    startProgram: () => ({ tell() {}, end() {} }),
    async start(program) {
      const name: CallName = "pairing.answer";
      program.subscribe((event, told) => {
        if (event !== "pairings.changed" || !Array.isArray(told)) return;
        for (const { pairing_id } of told) {
          const args = { pairing_id, accept: true, granted_scopes: ALL_SCOPES };
          void program.answer({ name, args, senderAllowed: true, allowed: [name] });
        }
      }, new AbortController().signal);
      return { ui: "memory:", raise: () => "memory:", close: async () => {} };
    },
  },
);
