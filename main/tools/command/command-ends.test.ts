import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { failureOf } from "../testing/tool-context.ts";
import { readProcessLine } from "./kill-tree.ts";
import { CommandHarness, processesWith, until } from "./testing/command-harness.ts";
import { sandbox, WAYS } from "./testing/ways.ts";

const LINUX = process.platform === "linux";
/** Each leaves processes behind in a different way; `$1` is a word that identifies them. */
const FAMILIES: readonly (readonly [name: string, script: string])[] = [
  ["ignores every signal that can be ignored", "trap '' TERM INT HUP; spin"],
  ["has children and grandchildren", 'sh -c "sh -c \\"$SPIN\\" x $1 & $SPIN" x "$1" & spin'],
  ["has a child in a session of its own", 'setsid sh -c "$SPIN" x "$1" & spin'],
  [
    "detached itself twice",
    '( setsid sh -c "( setsid sh -c \\"$SPIN\\" x $1 & ) & exit" & ) ; spin',
  ],
  [
    "wiped out its children's environment",
    'env -i /bin/sh -c "$SPIN" x "$1" & ( env -i /bin/sh -c "$SPIN" x "$1" & ) ; spin',
  ],
  ["starts new ones all the time", 'while :; do sh -c "$SPIN" x "$1" & sleep 0.02; done'],
];
const PREAMBLE = `SPIN='while :; do sleep 0.2; done'; spin() { eval "$SPIN"; }; echo up > up;`;

describe.skipIf(!LINUX).each(WAYS)("what a command leaves, $way", ({ options }) => {
  const harness = CommandHarness.forEachTest(options);

  const isUp = () => until(() => existsSync(harness.inside("up")));

  it.each(FAMILIES)("is nothing when it is cancelled and %s", async (_name, script) => {
    const word = randomUUID();
    const stop = new AbortController();
    const argv = ["sh", "-c", `${PREAMBLE} ${script}`, "x", word];
    const running = failureOf(harness.run(argv, { signal: stop.signal }));
    await isUp();
    await until(() => processesWith(word) > 1 || script.startsWith("trap"));
    stop.abort();
    expect(await running).toBe("cancelled");
    expect(processesWith(word)).toBe(0);
  });

  it("is nothing when it ended by itself, though its children hold its pipes", async () => {
    const word = randomUUID();
    const script = `${PREAMBLE} echo said; setsid sh -c "$SPIN" x "$1" & sh -c "$SPIN" x "$1" & exit 7`;
    const result = await harness.sh(script, word);
    expect(result).toMatchObject({ exit_code: 7, stdout: "said\n" });
    expect(processesWith(word)).toBe(0);
  });

  it("is nothing when it ended by itself and its children are silent", async () => {
    const word = randomUUID();
    const script = `${PREAMBLE} setsid sh -c "$SPIN" x "$1" >/dev/null 2>&1 </dev/null & exit 0`;
    expect(await harness.sh(script, word)).toMatchObject({ exit_code: 0 });
    expect(processesWith(word)).toBe(0);
  });

  it("is nothing when it writes without end", async () => {
    const word = randomUUID();
    const script = `${PREAMBLE} setsid sh -c "while :; do echo yes; done" x "$1" & while :; do echo no; done`;
    expect(await failureOf(harness.sh(script, word))).toBe("too_large");
    expect(processesWith(word)).toBe(0);
  });

  it("is no descriptor, no process and no listener, after many that were cancelled", async () => {
    const word = randomUUID();
    await harness.run(["true"]);
    const signals = Array.from({ length: 24 }, () => new AbortController());
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const before = descriptors();
    await Promise.all(
      signals.map(async (stop, index) => {
        const argv = ["sh", "-c", `echo up > up${index}; sleep 100 | cat`, "x", word];
        const running = failureOf(
          harness.run(argv, { signal: stop.signal, stdin: "x".repeat(60_000) }),
        );
        // Half of them are stopped before they have done anything.
        if (index % 2 === 0) await until(() => existsSync(harness.inside(`up${index}`)));
        stop.abort();
        expect(await running).toBe("cancelled");
      }),
    );
    expect(processesWith(word)).toBe(0);
    // Vitest may open and close a few descriptors of its own; a leak of ours would be several per
    // command.
    await until(() => descriptors() <= before);
    expect(zombies()).toEqual([]);
  });

  it("never runs when it was cancelled before", async () => {
    const argv = ["sh", "-c", "echo up > up"];
    expect(await failureOf(harness.run(argv, { signal: AbortSignal.abort() }))).toBe("cancelled");
    expect(existsSync(harness.inside("up"))).toBe(false);
  });

  it("is bounded when it does nothing but multiply", async () => {
    const word = randomUUID();
    const stop = new AbortController();
    // Only three generations: a real fork bomb would hit everybody who runs these tests.
    const bomb =
      'g() { [ "$2" -gt 0 ] && for i in 1 2 3 4; do sh "$0" "$1" $(($2 - 1)) & done; sleep 100; }; g "$@"';
    const path = harness.script("bomb", bomb);
    const running = failureOf(harness.run([path, word, "3"], { signal: stop.signal }));
    await until(() => processesWith(word) >= 40);
    stop.abort();
    expect(await running).toBe("cancelled");
    expect(processesWith(word)).toBe(0);
  });
});

describe.skipIf(!LINUX)("when the client is killed", () => {
  const PROGRAM = fileURLToPath(new URL("./testing/run-until-killed.ts", import.meta.url));

  it.skipIf(sandbox !== "bubblewrap")(
    "everything a command started dies with it (needs bubblewrap)",
    async () => {
      using harness = new CommandHarness();
      const word = randomUUID();
      const script = `${PREAMBLE} setsid sh -c "$SPIN" x "$1" & spin`;
      const argv = [harness.root, harness.data, "best", "sh", "-c", script, "x", word];
      const client = spawn(process.execPath, [PROGRAM, ...argv], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [line] = await new Promise<string[]>((resolve) =>
        createInterface(client.stdout).once("line", (first) => resolve([first])),
      );
      expect(line).toBe("running");
      await until(() => existsSync(harness.inside("up")));
      // The client's own argument list contains the word too.
      await until(() => processesWith(word) > 2);
      client.kill("SIGKILL");
      await until(() => processesWith(word) === 0);
    },
  );
});

describe.skipIf(!LINUX)("a program that cannot be started", () => {
  it.each(WAYS)("is no result, $way", async ({ options }) => {
    using harness = new CommandHarness(options);
    const path = harness.script("broken", "");
    writeFileSync(path, "#!/no/such/interpreter\n");
    const ended = harness.run([path]).then(
      ({ exit_code }) => exit_code,
      (error: { code?: string }) => error.code,
    );
    // Behind `prlimit` the code is that program's 127, as from a shell.
    expect(["program_not_found", 126, 127]).toContain(await ended);
  });
});

/** Children of ours that ended and were never waited for. */
const zombies = (): readonly string[] =>
  readdirSync("/proc").filter((name) => {
    const line = /^\d+$/u.test(name) ? lineOf(name) : null;
    return line?.state === "Z" && line.parent === process.pid;
  });

function lineOf(pid: string) {
  try {
    return readProcessLine(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return null;
  }
}
