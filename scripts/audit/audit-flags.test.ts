import { expect, test } from "vitest";
import { readAuditFlags } from "./audit-flags.ts";

const exportOf = (...range: readonly string[]) =>
  readAuditFlags(["export", "--format", "csv", ...range]);

test("a date alone is its whole day, from the first to the last millisecond", () => {
  expect(exportOf("--from", "2026-01-31", "--to", "2026-01-31")).toMatchObject({
    from: Date.UTC(2026, 0, 31),
    to: Date.UTC(2026, 1, 1) - 1,
  });
});

test("a time is that moment, at either end", () => {
  const time = "2026-01-31T00:30:00+02:00";
  const at = Date.UTC(2026, 0, 30, 22, 30);
  expect(exportOf("--from", time, "--to", time)).toMatchObject({ from: at, to: at });
});

test.each(["2026-02-31", "2025-02-29T12:00:00Z", "2026-13-01", "2026-04-31T23:00:00-05:00"])(
  "no date is taken that does not exist: %s",
  (time) => {
    expect(() => exportOf("--from", time)).toThrow("--from");
    expect(() => exportOf("--to", time)).toThrow("--to");
  },
);
