import { expect, test } from "vitest";
import { ChainHarness, callTo } from "./testing/chain-harness.ts";

const REFUSED = { status: "denied", reason: "user_refused" };

test("while paused every call is refused unexamined, even at low, and the log names the rule", async () => {
  const chain = new ChainHarness({ paused: true });
  chain.validation = "invalid";
  for (const tool of ["send_notification", "read_clipboard"]) {
    expect(await chain.handle(callTo(tool))).toMatchObject(REFUSED);
  }
  expect(chain.queue.waiting()).toEqual([]);
  expect(chain.ran).toEqual([]);
  const line = { ...REFUSED, decided_by: "paused", error_code: null };
  expect(chain.outcomes()).toMatchObject([line, line]);
});

test("an earlier answer is repeated while paused: nothing runs for it", async () => {
  const chain = new ChainHarness();
  const arrival = callTo("send_notification");
  const first = await chain.handle(arrival);
  chain.paused = true;
  expect(await chain.handle(arrival)).toEqual(first);
  expect(chain.ran).toHaveLength(1);
});

test("a pause withdraws a waiting request, which counts as refused by it", async () => {
  const chain = new ChainHarness();
  const { response } = await chain.start("read_clipboard");
  chain.paused = true;
  chain.ports.live.end({}, "paused");
  expect(await response).toMatchObject(REFUSED);
  expect(chain.outcomes()).toMatchObject([{ ...REFUSED, decided_by: "paused" }]);
});

test("a call that was permitted before the pause but has not started does not start", async () => {
  const chain = new ChainHarness();
  const { response } = await chain.start("read_clipboard");
  chain.paused = true;
  await chain.answer("allow_once");
  expect(await response).toMatchObject(REFUSED);
  expect(chain.ran).toEqual([]);
  expect(chain.records).toMatchObject([{ kind: "outcome", decided_by: "paused" }]);
});
