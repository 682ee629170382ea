import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { FileRule, RuleEffect } from "../../../app/contract/rule.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";

connectForEachTest();

const ABOUT = { covers: "send_notification", subject: { kind: "anything" } } as const;
const rules = async () => (await client.card(agent)).rules;

async function made(effect: RuleEffect, time: "minutes" | "always" = "always") {
  const { agent_id } = await client.card(agent);
  await client.call("rules.add", { ...ABOUT, agent_id, effect, time });
  return await rules();
}

async function imported(effect: RuleEffect, ends_at: FileRule["ends_at"] = null) {
  const { agent_id } = await client.card(agent);
  const file = { format: "consentry-rules", version: 1, rules: [{ ...ABOUT, effect, ends_at }] };
  return await client.call("rules.import", { agent_id, text: JSON.stringify(file) });
}

describe("a rule from a file", () => {
  it("that the agent has already stays as it is, with its uses", async () => {
    await made("deny");
    await agent.call("send_notification", { title: "hello" });
    const before = await rules();
    expect(before).toMatchObject([{ uses: 1 }]);
    client.time.jump(1_000);
    expect(await imported("deny")).toMatchObject({ added: 0, kept: 1, left_out: 0, weakening: [] });
    expect(await rules()).toEqual(before);
  });

  it.each([
    ["allow", "deny"],
    ["allow", "ask"],
    ["ask", "deny"],
  ] as const)(
    "that says %s takes no place of one that says %s, which is named, but gives way to it",
    async (laxer, stricter) => {
      const before = await made(stricter);
      const weakening = [{ ...ABOUT, effect: laxer, stands: before.map(({ rule_id }) => rule_id) }];
      expect(await imported(laxer)).toEqual({ added: 0, kept: 0, left_out: 0, weakening });
      expect(await rules()).toEqual(before);
      await made(laxer);
      expect(await imported(stricter)).toMatchObject({ added: 1, weakening: [] });
      expect(await rules()).toMatchObject([{ effect: stricter }]);
    },
  );

  it("replaces one that ends at another time, or is over", async () => {
    await made("deny", "minutes");
    expect(await imported("deny")).toMatchObject({ added: 1, kept: 0 });
    expect(await rules()).toMatchObject([{ effect: "deny", ends_at: null }]);
    await made("deny", "minutes");
    client.time.jump(LIMITS.ruleMinutesMs);
    expect(await imported("allow")).toMatchObject({ added: 1, kept: 0 });
    expect(await rules()).toMatchObject([{ effect: "allow" }]);
  });
});

describe("rules that are saved as a file", () => {
  it("are counted, with those that no file keeps", async () => {
    const { agent_id } = await client.card(agent);
    await made("deny");
    const subject = { kind: "path", path: "/p", names: null } as const;
    const task = { covers: "read_file", subject, effect: "allow", time: "task" } as const;
    await client.call("rules.add", { ...task, agent_id });
    const delivered = await client.call("rules.export", { agent_id });
    expect(delivered).toMatchObject({ saved: 1, left_out: 1 });
    const text = client.host.delivered.at(-1)?.text ?? "";
    expect(JSON.parse(text).rules).toMatchObject([{ covers: "send_notification" }]);
  });
});
