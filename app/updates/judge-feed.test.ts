import { expect, test } from "vitest";
import { judgeFeed, signedText } from "./judge-feed.ts";

const facts = { offered: "1.2.0", newest: null, failed: [], running: "1.1.0" };

test("a newer version is offered; the running one and an older one are nothing new", () => {
  expect(judgeFeed(facts)).toBe("offered");
  expect(judgeFeed({ ...facts, running: "1.2.0" })).toBe("nothing_new");
  expect(judgeFeed({ ...facts, running: "1.3.0-beta.1" })).toBe("nothing_new");
});

test("a list that offers less than one before is an older list, even where it is newer than what runs", () => {
  expect(judgeFeed({ ...facts, newest: "1.2.1" })).toBe("older");
  expect(judgeFeed({ ...facts, newest: "1.2.0" })).toBe("offered");
});

test("a version that did not start here is not offered again, the next one is", () => {
  expect(judgeFeed({ ...facts, failed: ["1.2.0"] })).toBe("nothing_new");
  expect(judgeFeed({ ...facts, offered: "1.2.1", failed: ["1.2.0"] })).toBe("offered");
});

test("a list without a version counts for nothing", () => {
  expect(judgeFeed({ ...facts, offered: "newest" })).toBe("unsigned");
});

test("the same text under another name is signed differently", () => {
  expect(signedText("latest.yml", "a")).not.toBe(signedText("beta.yml", "a"));
});
