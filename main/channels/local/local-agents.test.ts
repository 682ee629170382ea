import { beforeEach, expect, it } from "vitest";
import { ManualTime } from "../../../app/contract/testing/manual-time.ts";
import { AgentPresence } from "./local-agents.ts";

const AGENT = "agent-1";
const GRACE_MS = 45_000;
const EXPECTED_MS = 600_000;

let time: ManualTime;
let gone: string[];
let presence: AgentPresence;
beforeEach(() => {
  time = new ManualTime();
  gone = [];
  presence = new AgentPresence(time, { gone: (id) => gone.push(id), changed: () => {} });
});

it("an agent with a connection for each request counts as there for ten minutes after the last", () => {
  presence.asked(AGENT)();
  time.pass(EXPECTED_MS - 1);
  const answered = presence.asked(AGENT);
  time.pass(2 * EXPECTED_MS);
  answered();
  time.pass(EXPECTED_MS - 1);
  expect(presence.isOnline(AGENT)).toBe(true);
  time.pass(1);
  expect(presence.isOnline(AGENT)).toBe(false);
  time.pass(GRACE_MS);
  expect(gone).toEqual([AGENT]);
});

it("an agent that was removed is not expected back", () => {
  presence.asked(AGENT)();
  const answered = presence.asked(AGENT);
  presence.forget(AGENT);
  answered();
  expect(presence.isOnline(AGENT)).toBe(false);
  expect(time.pending).toBe(0);
});

it("nobody is expected back once it is closed", () => {
  presence.asked(AGENT)();
  const answered = presence.asked(AGENT);
  presence.close();
  answered();
  expect(time.pending).toBe(0);
});
