import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { LONG_WAIT } from "../testing/eventually.ts";

// The client is started up to eleven times in one test.
vi.setConfig({ testTimeout: 90_000 });

const HOUR_MS = 3_600_000;

connectForEachTest();

async function startQuietPeriod(): Promise<void> {
  const outcome = await client.answered(agent.write("opens"), "allow_in_conversation");
  expect(outcome).toEqual({ result: { length: 5 } });
}

async function restarted(meanwhile: () => void): Promise<void> {
  await client.restart(meanwhile);
  await client.reconnected();
}

async function expectSilent(): Promise<void> {
  expect(await agent.write("silent")).toEqual({ result: { length: 6 } });
}

async function expectAsked(): Promise<void> {
  expect(await client.answered(agent.write("asked"), "deny")).toEqual({ refused: "user_refused" });
}

describe("across a restart", () => {
  it.each<[string, () => void]>([
    ["stays, with its end", () => client.time.jump(23 * HOUR_MS)],
    ["lasts no longer after a clock was set back", () => client.time.setWallBy(-2_400 * HOUR_MS)],
  ])("a quiet period %s", async (_, meanwhile) => {
    await startQuietPeriod();
    await restarted(meanwhile);
    await expectSilent();
    await restarted(() => client.time.jump(25 * HOUR_MS));
    await expectAsked();
  });

  it("a quiet period ends after seven days, however often it was used", async () => {
    await startQuietPeriod();
    for (let used = 0; used < 8; used += 1) {
      await restarted(() => client.time.jump(20 * HOUR_MS));
      await expectSilent();
    }
    await restarted(() => client.time.jump(LIMITS.quietLongestMs - 160 * HOUR_MS));
    await expectAsked();
  });

  it("a clock set back while the program runs gives no time back after the restart", async () => {
    await startQuietPeriod();
    client.time.jump(20 * HOUR_MS);
    client.time.setWallBy(-20 * HOUR_MS);
    await client.reconnected();
    await restarted(() => client.time.jump(5 * HOUR_MS));
    await expectAsked();
  });

  it('"always deny" still refuses, until it is removed', async () => {
    const outcome = await client.answered(agent.call("read_clipboard"), "always_deny");
    expect(outcome).toEqual({ refused: "user_refused" });
    await client.restart();
    expect(await agent.call("read_clipboard")).toEqual({ refused: "user_refused" });
    const [line] = await client.log();
    expect(line?.decided_by).toBe("rule");
    const { rules } = await client.card(agent);
    expect(rules).toMatchObject([{ covers: "read_clipboard", effect: "deny", uses: 1 }]);
    const rule_id = rules[0]?.rule_id ?? "";
    await client.call("rules.remove", { agent_id: agent.id, rule_id });
    const asked = await client.answered(agent.call("read_clipboard"), "allow_once");
    expect(asked).toEqual({ result: { text: "" } });
  });

  it("a quiet period that the person ended does not come back", async () => {
    await startQuietPeriod();
    const { quiet_periods } = await client.card(agent);
    for (const { agent_id, conversation_id, scope, subject } of quiet_periods) {
      const key = { agent_id, conversation_id, scope, subject };
      await client.call("permissions.end_quiet_period", key);
    }
    await client.restart();
    await expectAsked();
  });

  it("settings are kept, and the longer time to decide is in force", async () => {
    const settings = {
      theme: "dark" as const,
      language: "zh-CN" as const,
      consent_timeout_ms: 120_000,
      profile: "everyday" as const,
      log_targets: false,
      keep_files: false,
      notifications: false,
      shortcut: "CommandOrControl+Alt+C" as const,
      updates: false,
      update_channel: "beta" as const,
    };
    await client.call("settings.set", settings);
    await client.restart();
    expect((await client.snapshot()).settings).toEqual(settings);
    const called = agent.call("read_clipboard");
    const { request_id, timeout_ms } = await client.waitingCard();
    expect(timeout_ms).toBe(120_000);
    await client.call("consent.opened", { request_id });
    client.time.jump(60_000);
    await client.waitingCard();
    client.time.jump(60_000);
    expect(await called).toEqual({ refused: "user_timeout" });
  });

  it("a time to decide that is too short or endless is not accepted", async () => {
    for (const consent_timeout_ms of [0, 29_999, 300_001]) {
      const { settings } = await client.snapshot();
      const set = client.call("settings.set", { ...settings, consent_timeout_ms });
      await expect(set).rejects.toThrow("invalid_arguments");
    }
  });

  it("a call that waited is neither answered nor logged, and is delivered again", async () => {
    const waiting = agent.write("patience", "patient");
    await client.waitingCard();
    await client.close();
    await client.launch();
    expect(await client.log()).toEqual([]);
    expect(await client.waitingCard()).toMatchObject({ call_id: "patient" });
    await client.answer("allow_once");
    expect(await waiting).toEqual({ result: { length: 8 } });
    expect(await client.log()).toMatchObject([{ call_id: "patient", status: "ok" }]);
    expect(client.platform.writes).toEqual(["patience"]);
  });

  it("a call that was running was stopped, and its outcome is cancelled", async () => {
    client.platform.hold = new Promise(() => {});
    const running = agent.notify("Hello", "runs");
    await expect.poll(() => client.platform.shown.length, LONG_WAIT).toBe(1);
    await client.close();
    expect(client.platform.stopped).toHaveLength(1);
    await client.launch();
    expect(await running).toEqual({ refused: "cancelled" });
    expect(await client.log()).toMatchObject([{ call_id: "runs", reason: "cancelled" }]);
    client.platform.hold = null;
    expect(await agent.notify("Hello", "runs")).toEqual({ refused: "cancelled" });
    expect(client.platform.shown).toHaveLength(1);
  });

  it("ends in good time although calls are still being examined", async () => {
    const calls = Array.from({ length: 30 }, () => agent.write());
    await client.close();
    await client.launch();
    await client.cards(LIMITS.waitingPerAgent);
    void calls;
  });

  it("the whole log still verifies", async () => {
    await agent.notify();
    await client.restart();
    await agent.notify();
    expect(await client.call("activity.verify", {})).toMatchObject({ ok: true, verified: 4 });
  });
});
