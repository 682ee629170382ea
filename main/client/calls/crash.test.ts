import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { LaunchedClient } from "../testing/launched-client.ts";

const PROGRAM = fileURLToPath(new URL("../testing/run-until-killed.ts", import.meta.url));

/** The client in a process of its own; `line` resolves with its next matching line. */
function startProcess(dataDir: string) {
  const child = spawn(process.execPath, [PROGRAM, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout);
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    line: (isIt: (line: string) => boolean): Promise<string> =>
      new Promise((resolve, reject) => {
        lines.on("line", (line) => {
          if (isIt(line)) resolve(line);
        });
        void exited.then(() => reject(new Error("the program ended")));
      }),
    kill() {
      child.kill("SIGKILL");
      return exited;
    },
  };
}

it("a call that was running at kill -9 is answered interrupted and does not run again", async () => {
  const client = new LaunchedClient();
  try {
    const crashing = startProcess(client.dataDir);
    const ready = await crashing.line((line) => line.startsWith("{"));
    client.hubIsAt(JSON.parse(ready).hub);
    const agent = await client.pair("Unlucky").agent;
    const showing = crashing.line((line) => line === "showing");
    const called = agent.notify("Hello", "cut-short");
    await showing;
    await crashing.kill();

    await client.launch();
    expect(client.stderr.join("\n")).toContain("1 call(s) of the last session were interrupted");
    expect(await called).toEqual({ refused: "interrupted" });
    expect(await agent.notify("Hello", "cut-short")).toEqual({ refused: "interrupted" });
    expect(await agent.notify("Another", "cut-short")).toEqual({ refused: "call_id_reused" });
    expect(client.platform.shown).toEqual([]);
    const lines = (await client.log()).filter(({ call_id }) => call_id === "cut-short");
    expect(lines.at(-1)).toMatchObject({ status: "interrupted", reason: "interrupted" });
    expect(await client.call("activity.verify", {})).toMatchObject({ ok: true });
    expect(await agent.notify("After")).toEqual({ result: { shown: true, folded: false } });
  } finally {
    await client.end();
  }
});
