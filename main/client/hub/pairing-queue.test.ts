import { expect, it } from "vitest";
import type { EventName } from "../../../app/bridge/events.ts";
import { ProgramEvents } from "../program-events.ts";
import { MANIFEST } from "../testing/test-manifest.ts";
import { PairingQueue } from "./pairing-queue.ts";

it("tells pages of an added agent once it is known, also when the hub has closed the pairing before", async () => {
  const events = new ProgramEvents();
  const keeper = {
    while: <T>(work: Promise<T>) => work,
    async adopt() {
      desk.closed("pair-1");
      told.length = 0;
    },
  };
  const keyring = { offered: async () => {}, met: async () => {}, withdrawn: () => {} };
  const desk = new PairingQueue(
    { answerPairing: async () => ({ agent_id: "agt_1" }) } as never,
    keeper as never,
    keyring as never,
    { lookalikes: () => [] },
    events,
  );
  const told: EventName[] = [];
  events.on("changed", (names) => told.push(...names));
  desk.requested({
    pairing_id: "pair-1",
    code: "ABCD-EFGH",
    name: "Reader",
    expires_at: "2026-01-01T00:00:00.000Z",
    capability_manifest: MANIFEST,
  } as never);
  await desk.answer("pair-1", true, []);
  expect(new Set(told)).toEqual(
    new Set(["pairings.changed", "agents.changed", "conversations.changed", "consents.changed"]),
  );
});
