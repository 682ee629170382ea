import { expect, test } from "vitest";
import { byteSize } from "./format-size.ts";

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
