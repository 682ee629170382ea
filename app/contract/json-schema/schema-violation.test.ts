import { expect, it } from "vitest";
import { LIMITS } from "../limits.ts";
import { boundedViolation, isViolation } from "./schema-violation.ts";

it("a violation of any length is sent as one that can be read, and leads to a part of the value", () => {
  const long = `/${"a".repeat(400)}/${"b".repeat(400)}`;
  for (const pointer of ["", "/a", long, `/${"c".repeat(9_000)}`]) {
    const { pointer: sent } = boundedViolation({ pointer, keyword: "type" });
    expect(isViolation({ pointer: sent, keyword: "type" })).toBe(true);
    expect(pointer === sent || pointer.startsWith(`${sent}/`)).toBe(true);
  }
  expect(boundedViolation({ pointer: long, keyword: "type" }).pointer).toHaveLength(401);
  expect(LIMITS.violationPointerChars).toBeLessThan(long.length);
});
