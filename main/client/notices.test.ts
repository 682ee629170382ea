import { expect, test, vi } from "vitest";
import { Notices } from "./notices.ts";
import { ProgramEvents } from "./program-events.ts";

const opened = () => {
  const events = new ProgramEvents();
  const changed = vi.fn();
  events.on("changed", changed);
  return { notices: new Notices(events), changed };
};

test("a notice about two agents names both, and goes for each when its cause is gone", () => {
  const { notices, changed } = opened();
  notices.about("key_changed", "a", { name: "Ada" });
  notices.about("key_changed", "b", { name: "Ben" });
  expect(notices.list()).toEqual([{ code: "key_changed", params: { name: "Ada", name_1: "Ben" } }]);
  notices.keep("key_changed", (agent) => agent === "b");
  expect(notices.list()).toEqual([{ code: "key_changed", params: { name: "Ben" } }]);
  changed.mockClear();
  notices.keep("key_changed", (agent) => agent === "b");
  expect(changed).not.toHaveBeenCalled();
  notices.keep("key_changed", () => false);
  expect(notices.list()).toEqual([]);
});

test("a notice about the program stays whatever becomes of agents", () => {
  const { notices } = opened();
  notices.add({ code: "identity_restored", params: {} });
  notices.keep("identity_restored", () => false);
  expect(notices.list()).toHaveLength(1);
});

test("entries that are missing in the log stay until the person acknowledges them", () => {
  const { notices } = opened();
  notices.add({ code: "log_rolled_back", params: {} });
  notices.dismiss("log_rolled_back");
  expect(notices.list()).toHaveLength(1);
  notices.settle("log_rolled_back");
  expect(notices.list()).toEqual([]);
});
