import { expect, it } from "vitest";
import { endingOf } from "./tool-call.ts";

it.each([
  ["error", "interrupted", null, "interrupted"],
  ["error", "cancelled", null, "cancelled"],
  ["error", "tool_timeout", null, "error"],
  ["denied", "user_refused", null, "denied"],
  ["ok", null, null, "ok"],
  ["ok", null, "succeeded", "ok"],
  ["ok", null, "failed", "error"],
] as const)(
  "a call that is %s for %s, carried out: %s, ended as %s",
  (status, reason, carried_out, ending) => {
    expect(endingOf({ status, reason, carried_out })).toBe(ending);
  },
);
