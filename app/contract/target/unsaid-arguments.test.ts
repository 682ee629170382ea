import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { CATALOGUE } from "../catalogue.ts";
import type { ConsentPreview } from "../consent-preview.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { callTarget } from "./call-target.ts";
import type { CallTarget } from "./target.ts";
import { unsaidArguments } from "./unsaid-arguments.ts";

const size = { size_before: null, size_after: 3, executable: false };
const PREVIEWS: readonly (ConsentPreview | null)[] = [
  null,
  { kind: "text_change", change: "create", ...size, hunks: [] },
  { kind: "text_change", change: "edit", ...size, hunks: [] },
  { kind: "bytes_change", change: "create", ...size },
  { kind: "image", width: 1, height: 1, size_bytes: 9, drawable: true },
  { kind: "image", width: 1, height: 1, size_bytes: 9, drawable: false },
  { kind: "entry", entry: "file", size_bytes: 1, entries: null, overwrites: true },
  { kind: "command", program: "/bin/x", sandbox: null, network: true },
  { kind: "not_shown", word: "not_found" },
];

const unsaid = (tool_name: string, args: JsonObject, preview: ConsentPreview | null) => {
  const call = { tool_name, arguments: args, preview, folders: ["/p"] };
  return unsaidArguments(call, callTarget(call));
};

describe("an argument folds away only where the same is told above", () => {
  const [none, created, edited, bytes, drawn, undrawn, entry, command, failed] = PREVIEWS;
  const TOLD: readonly [string, JsonObject, ConsentPreview | null | undefined, string[]][] = [
    ["write_file", { path: "/p/a", content: "x", if_exists: "fail" }, created, ["if_exists"]],
    ["write_file", { path: "/p/a", content: "x" }, bytes, ["content"]],
    ["write_file", { path: "/p/a", content: "x" }, failed, ["content"]],
    ["write_file", { path: "/p/a", content: "x" }, none, ["content"]],
    ["edit_file", { path: "/p/a", edits: [] }, edited, []],
    ["create_directory", { path: "/p/a", parents: true }, none, ["parents"]],
    ["move_file", { from: "/p/a", to: "/p/b", overwrite: true }, entry, ["overwrite"]],
    ["read_file", { path: "/p/a", offset: 4 }, none, ["offset"]],
    ["write_clipboard", { image: "iVBO" }, drawn, []],
    ["write_clipboard", { image: "iVBO" }, undrawn, ["image"]],
    ["write_clipboard", { text: "x".repeat(81) }, none, ["text"]],
    ["send_notification", { title: "Done", body: "All of it" }, none, ["body"]],
    ["fetch_url", { url: "https://h/", headers: {} }, none, ["headers"]],
    [
      "fetch_url",
      { url: "https://h/", method: "POST", body: "b", headers: {} },
      none,
      ["url", "method", "body", "headers"],
    ],
    [
      "run_command",
      { argv: ["ls"], directory: "/p", network: true, stdin: "x" },
      command,
      ["stdin"],
    ],
    // Nothing can truncate it here; this test is not about that.
    ["run_command", { argv: ["ls"], directory: "/p", network: false }, command, ["network"]],
    ["book_flight", { path: "/p/a", content: "x" }, none, ["path", "content"]],
  ];

  it.each(TOLD)("%s %j", (tool, args, preview, names) => {
    expect(Object.keys(unsaid(tool, args, preview ?? null))).toEqual(names);
  });
});

/** Whether the card's heading contains this value, found independently of its own `says`. */
function isHeaded({ kind, parts }: CallTarget, name: string, value: JsonValue): boolean {
  const drawn = Object.values(parts).map((part) => {
    switch (part.kind) {
      case "path":
        return part.path;
      case "address":
        return part.lead + part.host + part.rest;
      default:
        return part.text;
    }
  });
  if (name === "argv") return Array.isArray(value) && drawn.some((text) => tells(text, value));
  if (name === "method") return kind === (value === "HEAD" ? "fetch_headers" : "fetch");
  if (name === "format") return (kind === "read_clipboard_image") === (value === "image");
  if (name === "accuracy") return (kind === "locate_exactly") === (value === "fine");
  return drawn.some((text) => text === value);
}

/** Whether the line contains exactly these words, between spaces or quotes. */
function tells(line: string, words: readonly JsonValue[]): boolean {
  const read = [...line.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([all, quoted]) => quoted ?? all);
  return JSON.stringify(read) === JSON.stringify(words);
}

const isPreviewed = (name: string, preview: ConsentPreview | null): boolean =>
  (preview?.kind === "text_change" && ["content", "encoding", "edits"].includes(name)) ||
  (preview?.kind === "image" && preview.drawable && name === "image") ||
  (preview?.kind === "command" && name === "network");

const PIECES = [
  "/p/a",
  "/p/.git/x",
  "x",
  "",
  " ",
  "/",
  '"',
  "\\",
  "…",
  "\n",
  "\u202e",
  "https://h/",
];
const anyText = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 40 })
  .map((pieces) => pieces.join(""));
const anyValue: fc.Arbitrary<JsonValue> = fc.oneof(
  anyText,
  fc.constantFrom("GET", "HEAD", "POST", "image", "fine", "base64", true, false, 7, null),
  fc.array(anyText, { maxLength: 4 }),
);

/** Every argument name in our schemas. */
const NAMES = [
  ...new Set(
    [...CATALOGUE.values()].flatMap((contract) =>
      [...JSON.stringify(contract.arguments).matchAll(/"(\w+)":\{/g)].map((each) => each[1] ?? ""),
    ),
  ),
];

test("no argument of any tool is missing from what is told above and what stays in sight", () => {
  expect(NAMES).toEqual(expect.arrayContaining(["path", "edits", "argv", "if_exists", "network"]));
  const args = fc.dictionary(fc.constantFrom(...NAMES), anyValue, { maxKeys: 8 });
  const tool = fc.constantFrom(...CATALOGUE.keys(), "book_flight");
  fc.assert(
    fc.property(tool, args, fc.constantFrom(...PREVIEWS), (tool_name, given, preview) => {
      const call = { tool_name, arguments: given, preview, folders: ["/p"] };
      const target = callTarget(call);
      const left = unsaidArguments(call, target);
      for (const [name, value] of Object.entries(given)) {
        if (Object.hasOwn(left, name)) expect(left[name]).toBe(value);
        else expect(isHeaded(target, name, value) || isPreviewed(name, preview)).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});
