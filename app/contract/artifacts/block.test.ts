import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../limits.ts";
import { readArtifact } from "./artifact.ts";
import { type ArtifactBlock, readBlocks } from "./block.ts";

const BLOCKS: readonly ArtifactBlock[] = [
  { tag: "text", text: "**Hello**", markdown: false },
  { tag: "divider" },
  { tag: "status", key: "state", text: "Running", variant: "warning" },
  { tag: "progress", key: "bar", label: "Files", value: 40 },
  {
    tag: "table",
    columns: ["a", "b"],
    rows: [
      ["x", 1],
      [true, null],
    ],
  },
  { tag: "code", label: "main.ts", text: "1 + 1" },
  { tag: "file", key: "report", filename: "report.txt", mime: "text/plain", data: "eA==" },
  { tag: "input", key: "day", label: "Day", variant: "date", value: "2024-02-29" },
  {
    tag: "select",
    key: "meal",
    label: "Meal",
    options: [{ value: "soup", label: "Soup" }],
    value: "soup",
  },
  { tag: "checkbox", key: "ok", label: "OK" },
  { tag: "action", key: "send", label: "Send" },
];

it("every kind of block is read as it was sent", () => {
  expect(readBlocks(BLOCKS)).toEqual(BLOCKS);
});

it.each([
  { tag: "image", key: "i", url: "https://example.com/a.png" },
  { tag: "constructor" },
  { tag: 7 },
  {},
  { tag: "text" },
  { tag: "text", text: 7 },
  { tag: "text", text: "x".repeat(LIMITS.artifactTextChars + 1) },
  { tag: "progress", label: "Files", value: 101 },
  { tag: "table", columns: ["a", "b"], rows: [["x"]] },
  { tag: "table", columns: [], rows: [] },
  { tag: "table", columns: ["a"], rows: [[{}]] },
  { tag: "file", key: "f", filename: "a.html", mime: "text/html; x=<script>", data: "" },
  { tag: "file", key: "f", filename: "a.txt", data: "hello world" },
  { tag: "file", key: "f", filename: "a.txt", data: "Total: 12" },
  { tag: "file", key: "f", filename: "a.txt", data: "eA" },
  { tag: "file", key: "f", filename: "a.txt", data: "eB==" },
  { tag: "input", key: "__proto__", label: "Name" },
  { tag: "input", label: "Name" },
  { tag: "input", key: "a", label: "" },
  { tag: "input", key: "a", label: "Day", variant: "date", min: "2026-02-29" },
  { tag: "select", key: "a", label: "One", options: [] },
  { tag: "select", key: "a", label: "One", options: [{ value: "x", label: "X" }], value: "y" },
  { tag: "select", key: "a", label: "One", options: [{ value: "x", label: "X" }], value: ["x"] },
  {
    tag: "select",
    key: "a",
    label: "One",
    options: [
      { value: "x", label: "X" },
      { value: "x", label: "Y" },
    ],
  },
])("%j is unknown, and is kept as it was sent", (raw) => {
  const [block] = readBlocks([raw]);
  expect(block?.tag).toBe("unknown");
  expect(block?.tag === "unknown" && JSON.parse(block.json)).toEqual(raw);
});

it("a key belongs to the first block that has it", () => {
  const twice = { tag: "checkbox", key: "a", label: "A" };
  expect(readBlocks([twice, twice]).map(({ tag }) => tag)).toEqual(["checkbox", "unknown"]);
});

it("whatever an agent sends as blocks, each is read or unknown, and nothing is lost", () => {
  const field = fc.constantFrom("tag", "key", "label", "text", "value", "options", "columns");
  const tag = fc.constantFrom(...BLOCKS.map((block) => block.tag));
  const block = fc.oneof(
    fc.dictionary(field, fc.jsonValue()),
    fc.tuple(fc.dictionary(field, fc.jsonValue()), tag).map(([raw, own]) => ({ ...raw, tag: own })),
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), (sent) => {
      const raw = JSON.parse(JSON.stringify(sent));
      const read = readBlocks(raw);
      expect(read.map((each) => (each.tag === "unknown" ? JSON.parse(each.json) : each))).toEqual(
        raw,
      );
    }),
  );
});

const artifact = (over: object) => readArtifact({ artifact_id: "a", blocks: [...BLOCKS], ...over });

it("an artifact has an id and blocks, and is within the limits", () => {
  expect(artifact({ title: "Trip" })).toMatchObject({ revision: 0, title: "Trip", waiting: [] });
  const divider = { tag: "divider" };
  expect(artifact({ blocks: Array(LIMITS.artifactBlocks).fill(divider) })).toBeDefined();
  for (const over of [
    { artifact_id: "" },
    { artifact_id: "x".repeat(LIMITS.callIdChars + 1) },
    { artifact_id: 7 },
    { title: "x".repeat(LIMITS.artifactLabelChars + 1) },
    { blocks: [] },
    { blocks: ["text"] },
    { blocks: Array(LIMITS.artifactBlocks + 1).fill(divider) },
    { blocks: [{ tag: "text", text: "é".repeat(LIMITS.artifactBytes / 2) }] },
  ]) {
    expect(artifact(over)).toBeUndefined();
  }
});

it("what files contain has a limit of its own", () => {
  const most = Math.ceil(LIMITS.artifactFileBytes / 3) * 4;
  const file = (data: string) => ({ tag: "file", key: "f", filename: "a", data });
  expect(artifact({ blocks: [file("A".repeat(most))] })).toBeDefined();
  expect(artifact({ blocks: [file("A".repeat(most)), file("A")] })).toBeUndefined();
});
