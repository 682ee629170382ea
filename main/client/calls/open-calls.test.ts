import { expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { ManualTime } from "../../../app/contract/testing/manual-time.ts";
import { ChainHarness, callTo } from "../../../app/execution/testing/chain-harness.ts";
import { NO_POLICY } from "../../../app/policy/policy-file.ts";
import { hostKeyFrom } from "../../keys/host-key.ts";
import { ScratchStore } from "../../storage/testing/scratch-store.ts";
import { foldNotifications } from "../../tools/platform/notification-fold.ts";
import { Presence } from "../hub/presence.ts";
import { ProgramEvents } from "../program-events.ts";
import { openCalls } from "./open-calls.ts";

const scratch = ScratchStore.forEachTest();

it("a request outlives its agent's connection for as long as a reconnect takes; an agent that is gone gets none", async () => {
  const { store } = scratch.open();
  const time = new ManualTime();
  const { agent, ports } = new ChainHarness();
  const { agent_id } = agent;
  const calls = openCalls(
    {
      store,
      hostKey: hostKeyFrom(new Uint8Array(32)),
      time: { wall: time, monotonic: time, scheduler: time },
      folding: foldNotifications(() => time.now()),
      validator: ports.validator,
      tools: ports.tools,
      snapshots: { before: async () => null, after: async () => {}, drop: async () => {} },
      naming: {
        petname: () => null,
        label: () => null,
        signs: () => {
          throw new Error("no card is drawn");
        },
      },
      suspensions: { over: (agents) => agents },
      ignored: { has: () => false },
      policy: { policy: NO_POLICY, view: null },
      report: () => {},
    },
    new ProgramEvents(),
  );
  const presence = new Presence(time, (gone) => calls.live.end({ agent_id: gone }, "agent_gone"));
  const agents = { ...ports.agents, isGone: (id: string) => presence.isGone(id) };
  const intake = calls.intake({ name: "hub", agents });
  const ask = async () => {
    const answer = intake.handle(callTo("read_clipboard"));
    await new Promise(setImmediate);
    return { answer };
  };

  const first = await ask();
  presence.set(agent_id, false);
  time.pass(LIMITS.agentAbsenceGraceMs - 1);
  expect(calls.waiting()).toBe(1);
  presence.set(agent_id, true);
  time.pass(LIMITS.agentAbsenceGraceMs);
  expect(calls.waiting()).toBe(1);

  presence.set(agent_id, false);
  time.pass(LIMITS.agentAbsenceGraceMs);
  expect(await first.answer).toMatchObject({ reason: "agent_disconnected" });
  expect(calls.missed.view().requests).toMatchObject([{ tool_name: "read_clipboard" }]);
  const second = await ask();
  expect(await second.answer).toMatchObject({ reason: "agent_disconnected" });
  expect(calls.missed.view().requests).toHaveLength(1);

  presence.set(agent_id, true);
  await ask();
  expect(calls.waiting()).toBe(1);
});
