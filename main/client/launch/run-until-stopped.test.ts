import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { hostError } from "./launch-options.ts";
import { runUntilStopped, type Stoppable, signalHandler } from "./run-until-stopped.ts";

function surroundings() {
  const lines: string[] = [];
  const codes: number[] = [];
  let signal = () => {};
  return {
    lines,
    codes,
    signal: () => signal(),
    around: {
      onSignal: (stop: () => void) => {
        signal = stop;
      },
      stderr: (line: string) => lines.push(line),
      exit: (code: number) => codes.push(code),
    },
  };
}

function closing(ended = false): Stoppable & { readonly closed: () => number } {
  let closed = 0;
  return {
    ended,
    closed: () => closed,
    async close() {
      closed += 1;
    },
  };
}

test("a signal closes the program once and exits with 0", async () => {
  const { around, signal, codes } = surroundings();
  const program = closing();
  await runUntilStopped(async () => program, around);
  signal();
  signal();
  await expect.poll(() => codes).toEqual([0]);
  expect(program.closed()).toBe(1);
});

test("a signal during the start closes what started", async () => {
  const { around, signal, codes } = surroundings();
  const program = closing();
  const start = Promise.withResolvers<Stoppable>();
  const run = runUntilStopped(() => start.promise, around);
  signal();
  expect(codes).toEqual([]);
  start.resolve(program);
  await run;
  await expect.poll(() => codes).toEqual([0]);
  expect(program.closed()).toBe(1);
});

test("the program may end itself in the same way", async () => {
  const { around, codes } = surroundings();
  const program = closing();
  let quit = () => {};
  await runUntilStopped(async (stop) => {
    quit = stop;
    return program;
  }, around);
  quit();
  await expect.poll(() => codes).toEqual([0]);
});

test("a second instance, which runs nothing, exits with 0 by itself", async () => {
  const { around, codes } = surroundings();
  await runUntilStopped(async () => closing(true), around);
  await expect.poll(() => codes).toEqual([0]);
});

test("a start that fails says why in one line and exits with 1", async () => {
  const { around, lines, codes } = surroundings();
  await runUntilStopped(async () => {
    throw hostError("port_in_use", { message: "Port 1 is taken." });
  }, around);
  expect(lines).toEqual(["Consentry could not start (port_in_use): Port 1 is taken."]);
  expect(codes).toEqual([1]);
});

test("a close that fails does not exit with 0", async () => {
  const { around, signal, codes } = surroundings();
  const close = () => Promise.reject(new Error("x"));
  await runUntilStopped(async () => ({ close }), around);
  signal();
  await expect.poll(() => codes).toEqual([1]);
});

test("one Ctrl-C that arrives several times stops once; a later one ends at once", () => {
  let now = 0;
  const done: string[] = [];
  const signal = signalHandler({
    now: () => now,
    stop: () => done.push("stop"),
    endAtOnce: () => done.push("end"),
  });
  signal();
  now = 2_000;
  signal();
  expect(done).toEqual(["stop"]);
  now = 2_001;
  signal();
  expect(done).toEqual(["stop", "end"]);
});

/** Runs until it is stopped, in a process of its own; it has started when it sends a message. */
const PROGRAM = `
import { processSurroundings, runUntilStopped } from "${new URL("./run-until-stopped.ts", import.meta.url)}";
const around = processSurroundings((code) => process.exit(code));
await runUntilStopped(async () => ({ async close() {} }), around);
process.stdout.write("ready\\n");
around.stderr("ready");
process.send("started");
`;

function startProgram() {
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends the process in order",
  async (signal) => {
    const child = startProgram();
    await once(child, "message");
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
  },
);

test.each(["stdout", "stderr"] as const)("nobody has to read its %s", async (output) => {
  const child = startProgram();
  child[output]?.destroy();
  await once(child, "message");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});
