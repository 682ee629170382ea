import { expect, test } from "vitest";
import { judgeStart, type StartRecord } from "./judge-start.ts";

/** The records of starts that were never ready, one after the other. */
function starts(count: number, canGoBack = true, from: StartRecord | null = null) {
  let last = from;
  return Array.from({ length: count }, () => {
    const { record, act } = judgeStart(last, "2.0.0", canGoBack);
    last = record;
    return act;
  });
}
const good = { version: "1.0.0", ready: true, begun: 1, before: null, failed: [] };

test("a new version that was not ready in two starts is given up at the third", () => {
  expect(starts(3, true, good)).toEqual(["first", "go_on", "go_back"]);
});

test("a version that was ready once is never given up", () => {
  const { record } = judgeStart(good, "2.0.0", true);
  const ready = { ...record, ready: true };
  expect(starts(5, true, ready)).toEqual(Array(5).fill("go_on"));
});

test("where nothing can be put back, it is tried again and again", () => {
  expect(starts(4, false, good)).toEqual(["first", "go_on", "go_on", "go_on"]);
});

test("a version that was given up is not gone back to", () => {
  const failed = { version: "1.0.0", ready: false, begun: 2, before: "2.0.0", failed: ["2.0.0"] };
  expect(judgeStart(failed, "1.0.0", true).act).toBe("go_on");
});

test("what was given up is remembered, with the version before it, after going back too", () => {
  const given = judgeStart(
    { version: "2.0.0", ready: false, begun: 2, before: "1.0.0", failed: [] },
    "2.0.0",
    true,
  );
  expect(given.record).toMatchObject({ before: "1.0.0", failed: ["2.0.0"] });
  expect(judgeStart(given.record, "1.0.0", true)).toEqual({
    record: { version: "1.0.0", ready: false, begun: 1, before: "2.0.0", failed: ["2.0.0"] },
    act: "first",
  });
});
