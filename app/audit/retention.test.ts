import { expect, it } from "vitest";
import { purgeBefore } from "./retention.ts";

it("keeps entries for 30 times 24 hours", () => {
  expect(purgeBefore(2_592_000_001)).toBe(1);
});
