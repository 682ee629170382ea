import { expect, test } from "vitest";
import { byteSize, dateFormat, numberFormat } from "./format.ts";

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

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1 kB"],
  [1234, "1.2 kB"],
  [1_000_000, "1 MB"],
  [5_400_000_000, "5.4 GB"],
  [2e16, "20,000 TB"],
])("%d bytes are drawn as %s", (bytes, text) => {
  expect(byteSize("en", bytes)).toBe(text);
});
