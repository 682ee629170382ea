import { afterEach, expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { callTo, House } from "../../../app/execution/testing/house.ts";
import { ManualTime } from "../../../hub/testing/manual-time.ts";
import { ScratchStore } from "../../storage/testing/scratch-store.ts";
import { foldNotifications } from "../../tools/platform/notification-fold.ts";
import { callsAtWork } from "./calls-at-work.ts";

const scratch = new ScratchStore();
afterEach(() => scratch.remove());

/** What the chain asks the person for one call. */
async function someRequest() {
  const house = new House();
  void house.handle(callTo("read_clipboard"));
  await house.settle();
  const [waiting] = house.desk.waiting();
  if (waiting === undefined) throw new Error("nothing was asked");
  return waiting.request;
}

it("a request outlives its agent's line for as long as coming back takes, and none is begun for one that is gone", async () => {
  const { store } = scratch.open();
  const time = new ManualTime();
  const work = callsAtWork({
    store,
    time: { wall: time, monotonic: time, scheduler: time },
    folding: foldNotifications(() => time.now()),
    changed: () => {},
    consentsChanged: () => {},
    isClosing: () => false,
    answer: async () => null,
    report: () => {},
  });
  const request = await someRequest();
  const ask = () => work.consent.reserve(request.agent_id)?.ask(request);

  const first = ask();
  work.presence.set(request.agent_id, false);
  time.pass(LIMITS.agentAbsenceGraceMs - 1);
  expect(work.desk.waiting()).toHaveLength(1);
  work.presence.set(request.agent_id, true);
  time.pass(LIMITS.agentAbsenceGraceMs);
  expect(work.desk.waiting()).toHaveLength(1);

  work.presence.set(request.agent_id, false);
  time.pass(LIMITS.agentAbsenceGraceMs);
  const gone = { kind: "withdrawn", why: "agent_gone" };
  expect(await first).toEqual(gone);
  expect(work.missed.view().requests).toMatchObject([{ tool_name: "read_clipboard" }]);
  expect(await ask()).toEqual(gone);

  work.presence.set(request.agent_id, true);
  void ask();
  expect(work.desk.waiting()).toHaveLength(1);
  await store.close();
});
