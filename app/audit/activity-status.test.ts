import { expect, it } from "vitest";
import { endingOf } from "./activity-status.ts";

it("shows an interrupted call as interrupted, and every other by its own status", () => {
  expect(endingOf({ status: "error", reason: "interrupted" })).toBe("interrupted");
  expect(endingOf({ status: "error", reason: "tool_timeout" })).toBe("error");
  expect(endingOf({ status: "denied", reason: "user_refused" })).toBe("denied");
  expect(endingOf({ status: "ok", reason: null })).toBe("ok");
});
