import { describe, expect, it } from "vitest";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import { ANYTHING, type Rule } from "../contract/rule.ts";
import { ManualTime } from "../contract/testing/manual-time.ts";
import { sampleRule } from "../grants/testing/sample-rule.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

const REFUSED = { status: "denied", reason: "user_refused" };
const HIGH = { agent: agentWith({ sensitivity: { "clipboard:read": "high" } }) };
const COMMAND = agentWith({ toolScopes: { run_command: "shell:exec" } });

const withRules = (rules: readonly Partial<Rule>[], given: Partial<ChainHarness> = {}) => {
  const chain = new ChainHarness(given);
  const { manifest_hash } = chain.agent;
  chain.rules = rules.map((rule) => sampleRule({ manifest_hash, ...rule }));
  return chain;
};
const inFolder = (path: string) => ({ kind: "path", path, names: null }) as const;

describe("a rule", () => {
  it("that allows runs a medium call without the person, is counted, and is what the log names", async () => {
    const chain = withRules([{ subject: inFolder("/home/ada") }]);
    expect(await chain.handle(callTo("read_file"))).toMatchObject({ status: "ok" });
    expect(chain.records.map(({ decided_by }) => decided_by)).toEqual(["rule", "rule"]);
    expect(chain.rules).toMatchObject([{ uses: 1, last_used_at: chain.time.now() }]);
    expect(chain.ran[0]?.context).toMatchObject({ whole_scope: false, seen: null });
  });

  it("is named in both records: its id, when it was made and on which call, and nothing it says", async () => {
    const subject = inFolder("/home/ada");
    const chain = withRules([{ rule_id: "rule-9", made_at: 7, made_on: "call-before", subject }]);
    await chain.handle(callTo("read_file"));
    const named = { rule_id: "rule-9", given_at: 7, given_on: "call-before" };
    expect(chain.records).toMatchObject([named, named]);
    expect(JSON.stringify(chain.records)).not.toContain("/home/ada");
    chain.rules = [sampleRule({ rule_id: "by-hand", effect: "deny", made_at: 8 })];
    await chain.handle(callTo("read_file"));
    expect(chain.outcomes().at(-1)).toMatchObject({ rule_id: "by-hand", given_at: 8 });
    expect(chain.outcomes().at(-1)).not.toHaveProperty("given_on");
  });

  it("lets only its own agent run, in any conversation, and nothing beside its folder", async () => {
    const chain = withRules([{ subject: inFolder("/home/ada") }]);
    const elsewhere = callTo("read_file", { conversation_id: "other" });
    expect(await chain.handle(elsewhere)).toMatchObject({ status: "ok" });
    for (const path of ["/home/adam/x", "/home/ada/../eve/x", "/etc/passwd"]) {
      await chain.start("read_file", { args: { path } });
    }
    expect(chain.cards).toHaveLength(3);
    chain.rules = chain.rules.map((rule) => ({ ...rule, agent_id: "agent-2" }));
    chain.queue.reconsider(() => true);
    await chain.settle();
    expect(chain.ran).toHaveLength(1);
  });

  it("that denies refuses low calls too, and one that asks has them asked each time", async () => {
    const chain = withRules([{ covers: "send_notification", effect: "deny" }]);
    expect(await chain.handle(callTo("send_notification"))).toMatchObject(REFUSED);
    expect(chain.outcomes()[0]?.decided_by).toBe("rule");
    chain.rules = chain.rules.map((rule) => ({ ...rule, effect: "ask" }));
    await chain.start("send_notification");
    expect(chain.cards[0]?.answers).toEqual(["deny", "allow_once"]);
  });

  it("that asks comes before a quiet period", async () => {
    const chain = new ChainHarness();
    await chain.answered("allow_in_conversation", "read_clipboard");
    chain.rules = [sampleRule({ covers: "read_clipboard", effect: "ask" })];
    await chain.start("read_clipboard");
    expect(chain.cards[0]?.answers).toEqual(["deny", "allow_once"]);
  });

  it("gives no folder or host that the agent was not given", async () => {
    const chain = withRules([{}]);
    chain.preflight = { kind: "root_wanted", suggested_path: "/home/ada", access: "read" };
    await chain.start("read_file");
    expect(chain.cards).toHaveLength(1);
  });

  it("comes after pauses and revoked permissions, and an allowing one ends with its manifest", async () => {
    const chain = withRules([{ covers: "read_clipboard" }]);
    chain.paused = true;
    const paused = await chain.handle(callTo("read_clipboard"));
    expect([paused, chain.records[0]?.decided_by]).toMatchObject([REFUSED, "paused"]);
    chain.paused = false;
    chain.agent = agentWith({ grants: { "clipboard:read": "revoked" } });
    const revoked = await chain.handle(callTo("read_clipboard"));
    expect(revoked).toMatchObject({ reason: "permission_revoked" });
    chain.agent = agentWith({ timeout_ms: 5_000 });
    await chain.start("read_clipboard");
    expect(chain.cards).toHaveLength(1);
  });

  it("ends at its time", async () => {
    const time = new ManualTime();
    const ends_at = time.now() + 1_000;
    const chain = withRules([{ covers: "read_clipboard", ends_at }], { time });
    chain.time.pass(999);
    expect(await chain.handle(callTo("read_clipboard"))).toMatchObject({ status: "ok" });
    chain.time.pass(1);
    await chain.start("read_clipboard");
    expect(chain.cards).toHaveLength(1);
  });

  it("answers a high one only where it was made for that", async () => {
    const chain = withRules([{ covers: "read_clipboard" }], HIGH);
    await chain.start("read_clipboard");
    expect(chain.cards).toHaveLength(1);
    expect(chain.cards[0]?.rule_subjects).toEqual([]);
  });
});

describe("a rule for a command", () => {
  const shown = (
    sandbox: "bubblewrap" | null,
    program = "/usr/bin/git",
    network = false,
  ): ConsentPreview => ({ kind: "command", program, sandbox, network });
  const rule = {
    covers: "run_command",
    answers_high: true,
    subject: { kind: "command" as const, program: "/usr/bin/git", begins: ["log"] },
  };
  const git = (...rest: string[]) =>
    callTo("run_command", {
      scope: "shell:exec",
      args: { argv: ["git", ...rest], directory: "/p" },
    });
  const runner = (preview: ConsentPreview, rules: readonly Partial<Rule>[] = [rule]) =>
    withRules(rules, {
      agent: COMMAND,
      previews: async () => ({ shown: preview, seen: "as it was looked at" }),
    });

  it("runs what was looked at, and nothing else if the program changes before", async () => {
    const chain = runner(shown("bubblewrap"));
    expect(await chain.handle(git("log", "-p"))).toMatchObject({ status: "ok" });
    expect(chain.ran[0]?.context.seen).toBe("as it was looked at");
  });

  it("asks for another program, other arguments and without a sandbox", async () => {
    for (const [preview, ...rest] of [
      [shown("bubblewrap", "/p/git"), "log"],
      [shown("bubblewrap"), "push"],
      [shown("bubblewrap"), "-C", "/", "log"],
      [shown(null), "log"],
      [shown("bubblewrap", "/usr/bin/git", true), "log"],
    ] as const) {
      const chain = runner(preview);
      void chain.handle(git(...rest));
      await chain.settle();
      expect(chain.cards).toHaveLength(1);
      expect(chain.cards[0]?.answers).toEqual(["deny", "allow_once", "always_deny"]);
    }
  });

  it("has the program looked up once, for the card too", async () => {
    const chain = runner(shown(null));
    let drawn = 0;
    chain.previews = async () => {
      drawn += 1;
      return { shown: shown(null), seen: null };
    };
    void chain.handle(git("log"));
    await chain.settle();
    expect([chain.cards[0]?.preview, drawn]).toEqual([shown(null), 1]);
  });

  it("that denies it does so before anybody is asked", async () => {
    const chain = runner(shown(null), [{ ...rule, effect: "deny" }]);
    expect(await chain.handle(git("log"))).toMatchObject(REFUSED);
  });
});

describe("a rule made on a card", () => {
  const rule = { subject: ANYTHING, ends_at: null, for_task: false };

  it("is stored before the call goes on, and decides the others that wait", async () => {
    const chain = new ChainHarness();
    const calls = [1, 2, 3].map(() => chain.handle(callTo("read_clipboard")));
    await chain.answer("allow_once", null, rule);
    for (const call of calls) expect(await call).toMatchObject({ status: "ok" });
    const byPerson = chain.outcomes().filter(({ decided_by }) => decided_by === "person");
    const byRule = chain.outcomes().filter(({ decided_by }) => decided_by === "rule");
    expect([byPerson.length, byRule.length]).toEqual([1, 2]);
    expect(chain.rules).toMatchObject([
      { ...rule, covers: "read_clipboard", effect: "allow", uses: 2, answers_high: false },
    ]);
    expect(chain.rules[0]?.made_on).toBe(byPerson[0]?.call_id);
  });

  it("denies the others when it denies, and holds although it cannot be stored", async () => {
    const chain = new ChainHarness();
    const calls = [1, 2].map(() => chain.handle(callTo("read_clipboard")));
    await chain.answer("deny", null, rule);
    for (const call of calls) expect(await call).toMatchObject(REFUSED);
    chain.rules = [];
    chain.grantsFail = true;
    const last = chain.handle(callTo("read_clipboard"));
    await chain.answer("allow_once", null, rule);
    expect(await last).toMatchObject({ reason: "audit_unavailable" });
  });

  it("is about what the card offered, with a plain answer; the narrowest comes first", async () => {
    const chain = new ChainHarness();
    await chain.start("read_file");
    expect(chain.cards[0]?.rule_subjects).toEqual([
      inFolder("/home/ada/notes.md"),
      inFolder("/home/ada"),
    ]);
    const other = { ...rule, subject: inFolder("/home") };
    await expect(chain.answer("allow_once", null, other)).rejects.toThrow("not_offered");
    const offered = { ...rule, subject: inFolder("/home/ada") };
    await expect(chain.answer("allow_in_conversation", null, offered)).rejects.toThrow(
      "not_offered",
    );
    await chain.answer("allow_once", null, offered);
    expect(chain.rules).toHaveLength(1);
  });

  it("that denies stops a call whose approval is being stored", async () => {
    const chain = new ChainHarness();
    const { addRoot } = chain.ports.grants;
    const stored = Promise.withResolvers<void>();
    chain.ports.grants.addRoot = async (...root) => {
      await stored.promise;
      return addRoot(...root);
    };
    chain.preflight = { kind: "root_wanted", suggested_path: "/home/ada", access: "read" };
    const { response } = await chain.start("read_file");
    await chain.answer("allow_once", { path: "/home/ada", access: "read" });
    chain.rules = [sampleRule({ rule_id: "rule-late", effect: "deny" })];
    stored.resolve();
    expect(await response).toMatchObject(REFUSED);
    expect(chain.outcomes()).toMatchObject([{ decided_by: "rule", rule_id: "rule-late" }]);
    expect(chain.rules).toMatchObject([{ uses: 1, last_used_at: chain.time.now() }]);
    expect(chain.ran).toEqual([]);
  });
});

describe("the profile", () => {
  const profiled = (profile: "ask_everything" | "hands_off") => {
    const chain = withRules([{ covers: "read_clipboard" }]);
    chain.settings = { ...chain.settings, profile };
    return chain;
  };

  it("that asks everything asks low ones and past rules, and still denies by rule", async () => {
    const chain = profiled("ask_everything");
    await chain.start("send_notification");
    await chain.start("read_clipboard");
    expect(chain.cards.map(({ answers }) => answers)).toEqual([
      ["deny", "allow_once"],
      ["deny", "allow_once"],
    ]);
    chain.rules = chain.rules.map((rule) => ({ ...rule, effect: "deny" }));
    expect(await chain.handle(callTo("read_clipboard"))).toMatchObject(REFUSED);
  });

  it("that keeps hands off denies what nothing covers, high ones too, and asks nobody", async () => {
    const chain = profiled("hands_off");
    expect(await chain.handle(callTo("read_clipboard"))).toMatchObject({ status: "ok" });
    expect(await chain.handle(callTo("send_notification"))).toMatchObject({ status: "ok" });
    expect(await chain.handle(callTo("write_clipboard"))).toMatchObject(REFUSED);
    expect(chain.outcomes().at(-1)?.decided_by).toBe("hands_off");
    chain.agent = HIGH.agent;
    expect(await chain.handle(callTo("read_clipboard"))).toMatchObject(REFUSED);
    expect(chain.cards).toEqual([]);
  });

  it("decides what waits once it changes", async () => {
    const chain = new ChainHarness();
    const { response } = await chain.start("read_clipboard");
    chain.settings = { ...chain.settings, profile: "hands_off" };
    chain.queue.reconsider(() => true);
    expect(await response).toMatchObject(REFUSED);
  });
});
