import { expect, test } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import {
  argumentRows,
  askedLine,
  resultRows,
  splitForEmphasis,
  suspiciousWords,
} from "./argument-rows.ts";

test("every argument is shown whole, in the agent's order", () => {
  const long = "x".repeat(50_000);
  const rows = argumentRows({ z: long, path: "/a/b.txt", n: 5, list: ["a", "b"], none: null });
  expect(rows.map(({ name, kind }) => [name, kind])).toEqual([
    ["z", "text"],
    ["path", "path"],
    ["n", "value"],
    ["list", "value"],
    ["none", "value"],
  ]);
  expect(rows[0]?.text).toBe(long);
  expect(JSON.parse(rows[3]?.text ?? "")).toEqual(["a", "b"]);
});

test.each([
  ["/home/mia/notes.md", ["/home/mia/", "notes.md", ""]],
  ["C:\\Users\\mia\\a.txt", ["C:\\Users\\mia\\", "a.txt", ""]],
  ["/home/mia/", ["/home/", "mia", "/"]],
  ["/", ["/", "", ""]],
  ["https://example.com/a?b#c", ["https://", "example.com", "/a?b#c"]],
])("the telling part of %j is emphasised and nothing is lost", (value, parts) => {
  const [row] = argumentRows({ value });
  if (row === undefined) throw new Error("no row");
  expect(splitForEmphasis(row)).toEqual(parts);
  expect(splitForEmphasis(row).join("")).toBe(value);
});

test("a list of texts is drawn line by line, whatever is in them; any other list as JSON", () => {
  const argv = ["rm", "-rf", "", "a\nb"];
  const [lines, mixed, empty] = argumentRows({ argv, mixed: ["a", 1], empty: [] });
  expect(lines?.lines).toEqual(argv);
  expect([mixed?.lines, empty?.lines]).toEqual([null, null]);
  expect(mixed?.text).toBe(JSON.stringify(["a", 1], null, 2));
});

test("mixed scripts are told of paths and hosts, alone or in a list, and of no other text", () => {
  const suspicious = (args: JsonObject) => argumentRows(args).flatMap(suspiciousWords);
  const mixed = "p\u0430ypal";
  expect(suspicious({ path: `/${mixed}/a`, url: `https://${mixed}.com` })).toEqual([mixed, mixed]);
  expect(suspicious({ paths: ["/a", `/b/${mixed}`], argv: ["cat", `/${mixed}`] })).toEqual([
    mixed,
    mixed,
  ]);
  expect(suspicious({ text: mixed, argv: ["echo", mixed], deep: { path: "/a" } })).toEqual([]);
});

test("a result is told member by member, its texts as they are, everything else as JSON", () => {
  const result = { content: "/a\nhttps://b", size_bytes: 14, names: ["a", "b"] };
  expect(resultRows(result).map(({ kind, text }) => [kind, text])).toEqual([
    ["text", "/a\nhttps://b"],
    ["value", "14"],
    ["value", JSON.stringify(["a", "b"], null, 2)],
  ]);
  expect(resultRows("alone")).toMatchObject([{ name: "result", text: "alone" }]);
  expect(resultRows(null)).toMatchObject([{ name: "result", text: "null" }]);
});

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
