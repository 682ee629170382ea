import { expect, test } from "vitest";
import { pageAddress, pageOf, pageQuery } from "./page-address.ts";

test("a page and what it shows survive the address", () => {
  const address = pageAddress("activity", "agent=a%2Fb&find=%3F");
  expect(pageOf(address)).toBe("activity");
  expect(pageQuery(address)).toBe("agent=a%2Fb&find=%3F");
  expect(pageAddress("home")).toBe("#/home");
});

test.each(["", "#", "#content", "#/", "#/nowhere", "#/home/x", "#token=abc"])(
  "%j names no page",
  (fragment) => {
    expect(pageOf(fragment)).toBeNull();
    expect(pageQuery(fragment)).toBe("");
  },
);
