import { expect, test } from "vitest";
import { askedLine } from "./asked-line.ts";

test("what was asked stands on one line, its texts and lists before one another", () => {
  expect(askedLine({ argv: ["sh", "-c", "make\ntest"], directory: "/src" })).toBe(
    "sh -c make test · /src",
  );
  expect(askedLine({ url: "https://example.com/", limit: 3 })).toBe("https://example.com/ · 3");
  expect(askedLine({})).toBeNull();
  expect(askedLine({ text: " \n" })).toBeNull();
});

test("a long one says that it goes on, and nothing in it is unseen", () => {
  expect(askedLine({ text: "x".repeat(161) })).toBe(`${"x".repeat(160)}…`);
  expect(askedLine({ text: `${"x".repeat(159)}😀` })).toBe(`${"x".repeat(159)}…`);
  expect(askedLine({ text: "a\u202eb" })).toBe("a\\u{202e}b");
});
