import { expect, it } from "vitest";
import { SchemaThread } from "./schema-thread.ts";
import type { Answer } from "./schema-worker.ts";

const check = { schemaText: "{}", argumentsText: null };

/** A thread that runs a script at every message, and what it comes to. */
function outcomeOf(onMessage: string): Promise<"died" | "yielded" | Answer> {
  const script = `import { parentPort } from "node:worker_threads";
    parentPort.on("message", () => { ${onMessage} });
    parentPort.postMessage(["ready", 0]);`;
  return new Promise((settle) => {
    new SchemaThread(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {
      ready: (thread) => thread.post([check]),
      answered: (thread, message) => {
        settle(message);
        void thread.kill();
      },
      died: () => settle("died"),
    });
  });
}

it("dies alone when it runs out of memory: this process goes on", async () => {
  const hoard = "const hoard = []; for (;;) hoard.push(new Array(100_000).fill(0.5));";
  expect(await outcomeOf(hoard)).toBe("died");
});

it("has no environment, no arguments and no options of this process", async () => {
  const look = `const bare = Object.keys(process.env).length === 0
      && process.argv.length <= 2 && process.execArgv.length === 0;
    parentPort.postMessage([bare ? "valid" : "unusable", 0]);`;
  expect(await outcomeOf(look)).toBe("valid");
});

it("answers what it is asked", async () => {
  expect(await outcomeOf('parentPort.postMessage(["unusable", 0]);')).toBe("unusable");
});
