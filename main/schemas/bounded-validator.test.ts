import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import {
  type BoundedValidator,
  type BoundedValidatorOptions,
  createBoundedValidator,
  type SchemaDecision,
  type ValidationJob,
} from "./bounded-validator.ts";

const workerUrl = new URL("./schema-worker.ts", import.meta.url);
const open: BoundedValidator[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((validator) => validator.close()));
});

async function started(options: Partial<BoundedValidatorOptions> = {}): Promise<BoundedValidator> {
  const validator = createBoundedValidator({ workerUrl, ...options });
  open.push(validator);
  await validator.ready();
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
       parentPort.postMessage([{ kind: "ready" }, cpuMs()]);`,
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
  schemaKey: "key",
  schema: pathSchema,
  canonicalArguments: '{"path":"/tmp"}',
  ...over,
});
const evil = (over: Partial<ValidationJob> = {}): ValidationJob =>
  job({ schemaKey: "evil", schema: evilSchema, canonicalArguments: evilArguments, ...over });

/** Takes tens of milliseconds each, well inside the budget: a pattern that backtracks a while. */
const slowJob: Partial<ValidationJob> = {
  owner: "slow",
  schemaKey: "slow",
  schema: { properties: { p: { not: { pattern: "^(a+)+$" } } } },
  canonicalArguments: JSON.stringify({ p: `${"a".repeat(20)}!` }),
};

describe("deciding", () => {
  it("says where arguments break their schema, and never what they hold", async () => {
    const validator = await started();
    const secret = "hunter2";
    const decision = await validator.validate(
      job({ canonicalArguments: JSON.stringify({ path: [secret] }) }),
    );
    expect(decision).toEqual({
      kind: "invalid",
      violations: [{ pointer: "/path", keyword: "type" }],
    });
    expect(JSON.stringify(decision)).not.toContain(secret);
  });

  it("decides the same whether the schema is sent or already known", async () => {
    const validator = await started({ workers: 1 });
    for (let call = 0; call < 5; call += 1) {
      expect(await validator.validate(job())).toEqual({ kind: "valid" });
      expect((await validator.validate(job({ canonicalArguments: "{}" }))).kind).toBe("invalid");
    }
  });

  it("sends the schema again when the thread has dropped it", async () => {
    const validator = await started({ workers: 1 });
    for (let key = 0; key < 300; key += 1) {
      await validator.validate(job({ schemaKey: `key ${key}` }));
    }
    expect(await validator.validate(job({ schemaKey: "key 0" }))).toEqual({ kind: "valid" });
  });

  it("keeps two agents apart that use one key for different schemas", async () => {
    const validator = await started({ workers: 1 });
    expect((await validator.validate(job({ owner: "a" }))).kind).toBe("valid");
    const other = job({ owner: "b", schema: { maxProperties: 0 } });
    expect((await validator.validate(other)).kind).toBe("invalid");
  });

  it("lists what keeps a schema from being used", async () => {
    const validator = await started();
    expect(await validator.check("agent", pathSchema)).toEqual([]);
    expect(await validator.check("agent", { properties: { a: { pattern: "(" } } })).toEqual([
      { pointer: "/properties/a/pattern", code: "pattern_invalid" },
    ]);
  });
});

describe("killing", () => {
  it("gives up on a schema at its budget, and the next call of anybody is decided", async () => {
    const validator = await started();
    expect(await validator.validate(evil())).toEqual({ kind: "undecided" });
    expect(await validator.validate(job())).toEqual({ kind: "valid" });
  });

  it("refuses a killed schema untried for 60 s, to its owner only", async () => {
    let offset = 0;
    const validator = await started({ now: () => performance.now() + offset });
    await validator.validate(evil());
    const harmless = evil({ canonicalArguments: "{}" });
    expect((await validator.validate(harmless)).kind).toBe("undecided");
    expect((await validator.validate({ ...harmless, owner: "other" })).kind).toBe("valid");
    offset = 60_001;
    expect((await validator.validate(harmless)).kind).toBe("valid");
  });

  it("does not kill a job that only waits for a processor, unless it waits for long", async () => {
    const budgetMs = 60;
    const waits = `const asleep = new Int32Array(new SharedArrayBuffer(4));
      Atomics.wait(asleep, 0, 0, Number(message.argumentsText));
      parentPort.postMessage([{ kind: "valid" }, cpuMs()]);`;
    const validator = await started({ workerUrl: scripted(waits), budgetMs });
    const waiting = (ms: number, owner: string) =>
      validator.validate(job({ owner, canonicalArguments: String(ms) }));
    expect((await waiting(3 * budgetMs, "a")).kind).toBe("valid");
    expect((await waiting(1_000 * budgetMs, "b")).kind).toBe("busy");
    // It was given up, and neither it nor anybody else is treated as hostile for that.
    expect((await waiting(3 * budgetMs, "b")).kind).toBe("valid");
  });

  it("is undecided on a schema that fills the memory, and goes on", async () => {
    const bomb = `
      if (message.argumentsText === "{}") return parentPort.postMessage([{ kind: "valid" }, 0]);
      const hoard = [];
      for (;;) hoard.push(new Array(100_000).fill(0.5));`;
    const validator = await started({ workerUrl: scripted(bomb) });
    expect((await validator.validate(job())).kind).toBe("undecided");
    const next = job({ owner: "b", canonicalArguments: "{}" });
    expect((await validator.validate(next)).kind).toBe("valid");
  });

  it.each(["process.exit(1)", "throw new Error('crash')", "queueMicrotask(() => { throw null; })"])(
    "is undecided when the thread crashes in the middle: %s",
    async (crash) => {
      const script = `if (message.argumentsText !== "{}") { ${crash}; return; }
      parentPort.postMessage([{ kind: "valid" }, 0]);`;
      const validator = await started({ workerUrl: scripted(script) });
      expect((await validator.validate(job())).kind).toBe("undecided");
      const next = job({ owner: "b", canonicalArguments: "{}" });
      expect((await validator.validate(next)).kind).toBe("valid");
    },
  );

  it("is busy when no thread can start", async () => {
    const validator = createBoundedValidator({
      workerUrl: new URL("./no-such-worker.ts", import.meta.url),
    });
    open.push(validator);
    expect((await validator.validate(job())).kind).toBe("busy");
    expect(await validator.check("agent", pathSchema)).toBe("busy");
  });
});

describe("waiting", () => {
  it("gives the other agents their turn before a flood of one agent's calls", async () => {
    const validator = await started({ workers: 1 });
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
    const validator = await started();
    const decisions = await Promise.all(
      Array.from({ length: 5_000 }, () => validator.validate(job())),
    );
    expect(decisions.filter(({ kind }) => kind !== "valid")).toEqual([]);
  });

  it("lets nobody hold a thread with slow jobs sent together", async () => {
    const validator = await started({ workers: 1 });
    const slow = Array.from({ length: 32 }, () => validator.validate(job(slowJob)));
    const began = performance.now();
    expect((await validator.validate(job({ owner: "honest" }))).kind).toBe("valid");
    const waited = performance.now() - began;
    const all = await Promise.all(slow);
    expect(all.filter(({ kind }) => kind === "valid")).toHaveLength(32);
    // One slow job and the rest of a slice, not all 32 of them.
    expect(waited).toBeLessThan((performance.now() - began) / 4);
  });

  it("decides an honest agent's call while another agent's hostile ones use up every thread", async () => {
    const validator = await started();
    const flood = Array.from({ length: 10 }, (_, n) =>
      validator.validate(evil({ owner: "flood", schemaKey: `evil ${n}` })),
    );
    expect((await validator.validate(job({ owner: "honest" }))).kind).toBe("valid");
    await Promise.all(flood);
  });

  it("answers every call of a flood of hostile ones, none of them valid", async () => {
    const validator = await started();
    const decisions = await Promise.all(
      Array.from({ length: 20 }, (_, n) => validator.validate(evil({ schemaKey: `evil ${n}` }))),
    );
    const kinds = new Set(decisions.map(({ kind }) => kind));
    expect(kinds.has("undecided")).toBe(true);
    expect(kinds).not.toContain("valid");
    expect(kinds).not.toContain("invalid");
  });

  it("answers each of 20,000 calls that wait behind one that never ends", async () => {
    const validator = await started({ workers: 1 });
    const stuck = validator.validate(evil());
    const decisions = await Promise.all(
      Array.from({ length: 20_000 }, () => validator.validate(job())),
    );
    expect(decisions).toHaveLength(20_000);
    expect(decisions.every(({ kind }) => kind === "valid" || kind === "busy")).toBe(true);
    expect((await stuck).kind).toBe("undecided");
  });

  it("does not hold a call that came too late for its budget against its schema", async () => {
    const validator = await started({ workers: 1 });
    const first = validator.validate(evil());
    const late = evil({ schemaKey: "late" });
    expect((await validator.validate(late)).kind).toBe("busy");
    await first;
    const again = (): Promise<SchemaDecision> =>
      validator.validate({ ...late, canonicalArguments: "{}" });
    // Both threads were killed: one comes back well before a quarantine would end.
    await expect.poll(again, { timeout: 10_000 }).toEqual({ kind: "valid" });
  });
});

describe("closing", () => {
  it("leaves nothing waiting and refuses what comes after", async () => {
    const validator = await started({ workers: 1 });
    const waiting = [validator.validate(evil()), validator.validate(job())];
    await validator.close();
    expect(await Promise.all(waiting)).toEqual([{ kind: "busy" }, { kind: "busy" }]);
    expect(await validator.validate(job())).toEqual({ kind: "busy" });
  });
});
