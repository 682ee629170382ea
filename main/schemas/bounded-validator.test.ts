import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import { PROGRAMS } from "../testing/built-programs.ts";
import { workerThreads } from "../testing/worker-threads.ts";
import {
  BoundedValidator,
  type BoundedValidatorOptions,
  type ValidationJob,
} from "./bounded-validator.ts";

const workerUrl = PROGRAMS.schemaWorker;
const open: BoundedValidator[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((validator) => validator.close()));
});

function started(options: Partial<BoundedValidatorOptions> = {}): BoundedValidator {
  const validator = new BoundedValidator({ workerUrl, ...options });
  open.push(validator);
  return validator;
}

/** A worker made of a script, for ends that no schema of ours brings about. */
const scripted = (onMessage: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from "node:worker_threads";
       const cpuMs = () => {
         const { user, system } = process.threadCpuUsage();
         return (user + system) / 1000;
       };
       parentPort.on("message", (jobs) => { for (const message of jobs) { ${onMessage} } });
       parentPort.postMessage(["ready", cpuMs()]);`,
    )}`,
  );

const pathSchema: JsonObject = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: false,
};
const evilSchema: JsonObject = { properties: { p: { pattern: "^(a+)+$" } } };
const evilArguments = JSON.stringify({ p: `${"a".repeat(60)}!` });

const job = (over: Partial<ValidationJob> = {}): ValidationJob => ({
  owner: "agent",
  schema: pathSchema,
  canonicalArguments: '{"path":"/tmp"}',
  ...over,
});
const evil = (over: Partial<ValidationJob> = {}): ValidationJob =>
  job({ schema: evilSchema, canonicalArguments: evilArguments, ...over });

/** Takes tens of milliseconds each, well inside the budget: a pattern that backtracks a while. */
const slowJob: Partial<ValidationJob> = {
  owner: "slow",
  schema: { properties: { p: { not: { pattern: "^(a+)+$" } } } },
  canonicalArguments: JSON.stringify({ p: `${"a".repeat(20)}!` }),
};

describe("deciding", () => {
  it("decides the same whether the thread met the schema before or has dropped it", async () => {
    const validator = started({ workers: 1 });
    for (let call = 0; call < 300; call += 1) {
      const other = job({ schema: { ...pathSchema, title: `schema ${call}` } });
      expect(await validator.validate(other)).toEqual({ kind: "valid" });
      if (call % 100 > 0) continue;
      expect(await validator.validate(job())).toEqual({ kind: "valid" });
      expect(await validator.validate(job({ canonicalArguments: "{}" }))).toEqual({
        kind: "invalid",
        violation: { pointer: "", keyword: "required" },
      });
    }
  });

  it("says nothing of what arguments hold", async () => {
    const secret = "hunter2";
    const canonicalArguments = JSON.stringify({ path: [secret] });
    const decision = await started().validate(job({ canonicalArguments }));
    expect(decision).toEqual({ kind: "invalid", violation: { pointer: "/path", keyword: "type" } });
  });

  it("lists what keeps a schema from being used", async () => {
    const validator = started();
    expect(await validator.check("agent", pathSchema)).toEqual([]);
    expect(await validator.check("agent", { properties: { a: { pattern: "(" } } })).toEqual([
      { pointer: "/properties/a/pattern", code: "pattern_invalid" },
    ]);
  });
});

describe("killing", () => {
  it("gives up on a schema at its budget, and the next call of anybody is decided", async () => {
    const validator = started();
    expect(await validator.validate(evil())).toEqual({ kind: "undecided" });
    expect(await validator.validate(job())).toEqual({ kind: "valid" });
  });

  it("tries a schema again that was killed for one value", async () => {
    const validator = started();
    expect((await validator.validate(evil())).kind).toBe("undecided");
    expect((await validator.validate(evil({ canonicalArguments: "{}" }))).kind).toBe("valid");
  });

  it("does not kill a job that only waits for a processor, unless it waits for long", async () => {
    const budgetMs = 60;
    const waits = `const asleep = new Int32Array(new SharedArrayBuffer(4));
      Atomics.wait(asleep, 0, 0, Number(message.argumentsText));
      parentPort.postMessage(["valid", cpuMs()]);`;
    const validator = started({ workerUrl: scripted(waits), budgetMs });
    const waiting = (ms: number, owner: string) =>
      validator.validate(job({ owner, canonicalArguments: String(ms) }));
    expect((await waiting(3 * budgetMs, "a")).kind).toBe("valid");
    expect((await waiting(1_000 * budgetMs, "b")).kind).toBe("busy");
    // It was given up, and neither it nor anybody else is treated as hostile for that.
    expect((await waiting(3 * budgetMs, "b")).kind).toBe("valid");
  });

  it("is undecided on a schema that fills the memory, and goes on", async () => {
    const bomb = `
      if (message.argumentsText === "{}") return parentPort.postMessage(["valid", 0]);
      const hoard = [];
      for (;;) hoard.push(new Array(100_000).fill(0.5));`;
    const validator = started({ workerUrl: scripted(bomb) });
    expect((await validator.validate(job())).kind).toBe("undecided");
    const next = job({ owner: "b", canonicalArguments: "{}" });
    expect((await validator.validate(next)).kind).toBe("valid");
  });

  it.each(["process.exit(1)", "throw new Error('crash')", "queueMicrotask(() => { throw null; })"])(
    "is undecided when the thread crashes in the middle: %s",
    async (crash) => {
      const script = `if (message.argumentsText !== "{}") { ${crash}; return; }
      parentPort.postMessage(["valid", 0]);`;
      const validator = started({ workerUrl: scripted(script) });
      expect((await validator.validate(job())).kind).toBe("undecided");
      const next = job({ owner: "b", canonicalArguments: "{}" });
      expect((await validator.validate(next)).kind).toBe("valid");
    },
  );

  it("is busy when no thread can start", async () => {
    const validator = new BoundedValidator({
      workerUrl: new URL("./no-such-worker.ts", import.meta.url),
    });
    open.push(validator);
    expect((await validator.validate(job())).kind).toBe("busy");
    expect(await validator.check("agent", pathSchema)).toBe("busy");
  });
});

describe("waiting", () => {
  it("gives the other agents their turn before a flood of one agent's calls", async () => {
    const validator = started({ workers: 1 });
    const order: string[] = [];
    const submit = (owner: string): Promise<unknown> =>
      validator.validate(job({ owner })).then(() => order.push(owner));
    await Promise.all([...Array(500).fill("flood"), "quiet", "calm"].map(submit));
    // The flood has one batch of 32 before each of the others has its turn.
    expect(order.indexOf("quiet")).toBeLessThan(40);
    expect(order.indexOf("calm")).toBeLessThan(40);
    expect(order).toHaveLength(502);
  });

  it("decides every call of one agent's honest burst, however long it takes", async () => {
    const validator = started();
    const decisions = await Promise.all(
      Array.from({ length: 5_000 }, () => validator.validate(job())),
    );
    expect(decisions.filter(({ kind }) => kind !== "valid")).toEqual([]);
  });

  it("lets nobody hold the only thread with slow jobs sent together", async () => {
    const validator = started({ workers: 1 });
    let done = 0;
    const slow = Array.from({ length: 32 }, async () => {
      const { kind } = await validator.validate(job(slowJob));
      done += 1;
      return kind;
    });
    expect((await validator.validate(job({ owner: "honest" }))).kind).toBe("valid");
    // One slow job and the rest of a slice.
    expect(done).toBeLessThan(16);
    expect(await Promise.all(slow)).toEqual(Array(32).fill("valid"));
  });

  it("decides an honest agent's call while another agent's hostile ones use up every thread", async () => {
    const validator = started();
    const flood = Array.from({ length: 5 }, () => validator.validate(evil({ owner: "flood" })));
    expect((await validator.validate(job({ owner: "honest" }))).kind).toBe("valid");
    await Promise.all(flood);
  });

  it("answers every call of a flood of hostile ones, none of them valid", async () => {
    const validator = started();
    const flood = Array.from({ length: 5 }, () => validator.validate(evil()));
    const kinds = new Set((await Promise.all(flood)).map(({ kind }) => kind));
    expect(kinds.has("undecided")).toBe(true);
    expect(kinds).not.toContain("valid");
    expect(kinds).not.toContain("invalid");
  });

  it("runs none of a flood's calls after they were answered", async () => {
    const begun = new BroadcastChannel("begun");
    onTestFinished(() => begun.close());
    let count = 0;
    begun.onmessage = () => (count += 1);
    const script = `if (message.argumentsText === "{}") parentPort.postMessage(["valid", cpuMs()]);
      else { new BroadcastChannel("begun").postMessage(null); for (;;); }`;
    const validator = started({ workerUrl: scripted(script), budgetMs: 20 });
    await Promise.all(Array.from({ length: 40 }, () => validator.validate(job())));
    const before = count;
    // What the flood left behind would come first.
    const last = job({ canonicalArguments: "{}" });
    while ((await validator.validate(last)).kind !== "valid");
    // The one that was running may be counted only now.
    expect(count - before).toBeLessThanOrEqual(1);
  });

  it("answers each of 20,000 calls that wait behind one that never ends", async () => {
    const validator = started({ workers: 1 });
    const stuck = validator.validate(evil());
    const decisions = await Promise.all(
      Array.from({ length: 20_000 }, () => validator.validate(job())),
    );
    expect(decisions).toHaveLength(20_000);
    expect(decisions.every(({ kind }) => kind === "valid" || kind === "busy")).toBe(true);
    expect((await stuck).kind).toBe("undecided");
  });
});

describe.runIf(process.platform === "linux")("resting", () => {
  it("ends all threads when there has been no job since it last rested; the next starts them again", async () => {
    const validator = started();
    expect(workerThreads()).toBe(0);
    expect(await validator.validate(job())).toEqual({ kind: "valid" });
    await expect.poll(workerThreads).toBe(2);
    validator.rest();
    expect(await validator.validate(job())).toEqual({ kind: "valid" });
    expect(workerThreads()).toBe(2);
    await expect
      .poll(() => {
        validator.rest();
        return workerThreads();
      })
      .toBe(0);
    expect(await validator.validate(job())).toEqual({ kind: "valid" });
    await expect.poll(workerThreads).toBe(2);
  });

  it("has a thread free beside those that run, at most as many as it may", async () => {
    const validator = started({ workers: 2 });
    const busy = ["a", "b", "c"].map((owner) => validator.validate(evil({ owner })));
    await expect.poll(workerThreads).toBe(3);
    await Promise.all(busy);
    // In the place of each that was killed there is another.
    await expect.poll(workerThreads).toBe(3);
  });

  it("ends no thread that works", async () => {
    const validator = started();
    const stuck = validator.validate(evil());
    validator.rest();
    validator.rest();
    expect((await stuck).kind).toBe("undecided");
  });
});

describe("closing", () => {
  it("leaves nothing waiting and refuses what comes after", async () => {
    const validator = started({ workers: 1 });
    const waiting = [validator.validate(evil()), validator.validate(job())];
    await validator.close();
    expect(await Promise.all(waiting)).toEqual([{ kind: "busy" }, { kind: "busy" }]);
    expect(await validator.validate(job())).toEqual({ kind: "busy" });
  });
});
