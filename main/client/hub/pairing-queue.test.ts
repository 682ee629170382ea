import { expect, it } from "vitest";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { EventName } from "../../../app/bridge/events.ts";
import { ProgramEvents } from "../program-events.ts";
import { MANIFEST } from "../testing/test-manifest.ts";
import { PairingQueue } from "./pairing-queue.ts";

const asking = (over: object = {}) =>
  ({
    pairing_id: "pair-1",
    code: "ABCD-EFGH",
    name: "Reader",
    expires_at: "2026-01-01T00:00:00.000Z",
    capability_manifest: MANIFEST,
    ...over,
  }) as never;

it("refuses a pairing whose card is none when it comes, and shows it to nobody", async () => {
  const answers: unknown[] = [];
  const rest = { answerPairing: async (...answer: unknown[]) => void answers.push(answer) };
  const keyring = { offered: () => false, met: async () => {}, withdrawn: () => {} };
  const queue = new PairingQueue(
    rest as never,
    {} as never,
    keyring as never,
    { lookalikes: () => [] },
    new ProgramEvents(),
  );
  queue.requested(asking());
  expect(queue.list()).toEqual([]);
  expect(answers).toEqual([["pair-1", { accept: false, granted_scopes: [] }]]);
});

it("takes an agent back at the hub whose keys turn out to be others", async () => {
  const revoked: string[] = [];
  const rest = {
    answerPairing: async () => ({ agent_id: "agt_1", relation_id: "rel_1" }),
    revokeRelation: async (id: string) => void revoked.push(id),
  };
  const refuse = async () => {
    throw bridgeError("key_changed");
  };
  const keyring = { offered: () => true, met: refuse, withdrawn: () => {} };
  const sync = { while: <T>(work: Promise<T>) => work, adopt: refuse };
  const queue = new PairingQueue(
    rest as never,
    sync as never,
    keyring as never,
    { lookalikes: () => [] },
    new ProgramEvents(),
  );
  queue.requested(asking());
  await expect(queue.answer("pair-1", true, [])).rejects.toMatchObject({ code: "key_changed" });
  expect(revoked).toEqual(["rel_1"]);
  expect(queue.list()).toEqual([]);
});

it("tells pages of an added agent once it is known, also when the hub has closed the pairing before", async () => {
  const events = new ProgramEvents();
  const sync = {
    while: <T>(work: Promise<T>) => work,
    async adopt() {
      desk.closed("pair-1");
      told.length = 0;
    },
  };
  const keyring = { offered: () => true, met: async () => {}, withdrawn: () => {} };
  const desk = new PairingQueue(
    { answerPairing: async () => ({ agent_id: "agt_1" }) } as never,
    sync as never,
    keyring as never,
    { lookalikes: () => [] },
    events,
  );
  const told: EventName[] = [];
  events.on("changed", (names) => told.push(...names));
  desk.requested(asking());
  await desk.answer("pair-1", true, []);
  expect(new Set(told)).toEqual(
    new Set(["pairings.changed", "agents.changed", "conversations.changed", "consents.changed"]),
  );
});
