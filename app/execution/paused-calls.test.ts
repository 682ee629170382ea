import { expect, test } from "vitest";
import { callTo, House } from "./testing/house.ts";

const REFUSED = { status: "denied", reason: "user_refused" };

test("while paused a call is refused unexamined, silent ones too, and the log says by which rule", async () => {
  const house = new House();
  house.paused = true;
  house.validation = "invalid";
  for (const tool of ["send_notification", "read_clipboard"]) {
    expect(await house.handle(callTo(tool))).toMatchObject(REFUSED);
  }
  expect(house.desk.waiting()).toEqual([]);
  expect(house.ran).toEqual([]);
  const line = { ...REFUSED, decided_by: "paused", error_code: null };
  expect(house.outcomes()).toMatchObject([line, line]);
});

test("an earlier answer is given again while paused: nothing runs for it", async () => {
  const house = new House();
  const arrival = callTo("send_notification");
  const first = await house.handle(arrival);
  house.paused = true;
  expect(await house.handle(arrival)).toEqual(first);
  expect(house.ran).toHaveLength(1);
});

test("a request that waits is taken back by the pause, and was refused by it", async () => {
  const house = new House();
  const response = house.handle(callTo("read_clipboard"));
  await house.settle();
  house.paused = true;
  house.ports.live.end({}, "paused");
  expect(await response).toMatchObject(REFUSED);
  expect(house.outcomes()).toMatchObject([{ ...REFUSED, decided_by: "paused" }]);
});

test("a call that was permitted before the pause and has not begun does not begin", async () => {
  const house = new House();
  const response = house.handle(callTo("read_clipboard"));
  await house.settle();
  house.paused = true;
  await house.answer("allow_once");
  expect(await response).toMatchObject(REFUSED);
  expect(house.ran).toEqual([]);
  expect(house.records).toMatchObject([{ kind: "outcome", decided_by: "paused" }]);
});
