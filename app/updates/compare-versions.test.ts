import { expect, test } from "vitest";
import { compareVersions, isVersion } from "./judge-feed.ts";

test("versions are in SemVer's order: numbers as numbers, what leads to a release before it", () => {
  const inOrder = [
    "0.9.10",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "1.10.0",
    "2.0.0",
  ];
  expect([...inOrder].reverse().sort(compareVersions)).toEqual(inOrder);
  expect(compareVersions("1.0.0-beta.2", "1.0.0-beta.2")).toBe(0);
});

test.each(["1.0", "v1.0.0", "1.0.0+build", "1.0.0-", "", "latest", "1.0.0\n2.0.0"])(
  "%j is no version",
  (text) => {
    expect(isVersion(text)).toBe(false);
  },
);
