import { expect, test } from "vitest";
import { dateFormat, numberFormat } from "./formatters.ts";

test("a formatter is made once for a language and its options", () => {
  const one = numberFormat("de", { style: "unit", unit: "second" });
  expect(numberFormat("de", { style: "unit", unit: "second" })).toBe(one);
  expect(numberFormat("en", { style: "unit", unit: "second" })).not.toBe(one);
  expect(numberFormat("de", { style: "unit", unit: "hour" })).not.toBe(one);
});

test("in another time zone dates are formatted accordingly", () => {
  const zone = process.env.TZ;
  const at = Date.UTC(2026, 0, 5, 12);
  try {
    process.env.TZ = "Asia/Tokyo";
    expect(dateFormat("en", { timeStyle: "short" }).format(at)).toMatch(/^9:00.PM$/);
    process.env.TZ = "America/Denver";
    expect(dateFormat("en", { timeStyle: "short" }).format(at)).toMatch(/^5:00.AM$/);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});
