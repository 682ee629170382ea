import { describe, expect, it } from "vitest";
import type { CallArgs } from "../../../app/bridge/calls.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { highManifest } from "../testing/test-manifest.ts";

const MANIFEST = highManifest({ write_file: "filesystem:write" });
connectForEachTest({ added: [["filesystem:write"], "Writer", MANIFEST] });

const HOUR = 3_600_000;
const rules = async () => (await client.card(agent)).rules;

/** A rule is written, or changed to say this. @returns what the page has then */
async function written(
  time: CallArgs<"rules.add">["time"],
  differs: Partial<CallArgs<"rules.add">> = {},
) {
  const { agent_id } = await client.card(agent);
  const about = {
    covers: "write_file",
    subject: { kind: "path", path: "/p", names: null },
  } as const;
  await client.call("rules.add", { ...about, agent_id, effect: "allow", time, ...differs });
  const [rule, ...others] = await rules();
  if (rule === undefined || others.length > 0) throw new Error("not one rule");
  return rule;
}

describe("a rule that is changed", () => {
  it("ends when it did, unless another time is chosen", async () => {
    const { ends_at, rule_id } = await written("hours");
    client.time.jump(HOUR);
    const subject = { kind: "path", path: "/p/a", names: null } as const;
    const changed = await written("unchanged", { replaces: rule_id, subject });
    expect(changed).toMatchObject({ subject, ends_at, for_task: false });
    const longer = await written("hours", { replaces: changed.rule_id });
    expect(longer.ends_at).toBeGreaterThanOrEqual((ends_at ?? Infinity) + HOUR);
  });

  it("for a task stays for that task", async () => {
    const { ends_at, rule_id } = await written("task", { effect: "deny" });
    client.time.jump(HOUR);
    const changed = await written("unchanged", { effect: "ask", replaces: rule_id });
    expect(changed).toMatchObject({ effect: "ask", ends_at, for_task: true });
  });

  it("allows no high call for longer than a new one could", async () => {
    const { rule_id } = await written("task", { effect: "deny" });
    await expect(written("unchanged", { replaces: rule_id })).rejects.toThrow("rule_too_long");
    expect(await rules()).toMatchObject([{ rule_id, effect: "deny" }]);
  });

  it("is not there to be changed when it is over", async () => {
    const { rule_id } = await written("minutes");
    client.time.jump(LIMITS.ruleMinutesMs);
    await expect(written("unchanged", { replaces: rule_id })).rejects.toThrow("not_found");
    await expect(written("unchanged")).rejects.toThrow("not_found");
    expect(await rules()).toEqual([]);
  });
});
