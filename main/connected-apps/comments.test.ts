import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ConfigFormat,
  withEntry,
  withListItem,
  withoutEntry,
  withoutListItem,
} from "./config-text.ts";

const ENTRY = { command: "c", args: ["a"] };

interface Sample {
  readonly format: ConfigFormat;
  readonly table: string;
  readonly text: string;
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  "after the last server": {
    format: "json",
    table: "mcpServers",
    text: '{\n  "mcpServers": {\n    "a": { "command": "x" } // a note about a\n  }\n}\n',
  },
  "after a comma at the end": {
    format: "json",
    table: "mcpServers",
    text: '{\n  "mcpServers": {\n    "a": { "command": "x" }, // a note about a\n  }, // about all\n}\n',
  },
  "in front of the comma": {
    format: "json",
    table: "mcpServers",
    text: '{\n  "mcpServers": {\n    "a": 1 /* one */ , // two\n  }\n}\n',
  },
  "of a block, after an only line": {
    format: "json",
    table: "mcpServers",
    text: '{ "mcpServers": { "a": 1 /* a note about a */ } }',
  },
  "after the opening bracket of an empty table": {
    format: "json",
    table: "mcpServers",
    text: '{\r\n  "mcpServers": { // none yet\r\n  }\r\n}\r\n',
  },
  "after the last setting, where there is no table": {
    format: "json",
    table: "mcpServers",
    text: '{\n  "theme": "dark" // mine\n}\n',
  },
  "over several lines": {
    format: "json",
    table: "mcpServers",
    text: '{\n  "mcpServers": {\n    "a": 1 /* a note\n      about a */\n  }\n}\n',
  },
  "between and after TOML tables": {
    format: "toml",
    table: "mcp_servers",
    text: '[mcp_servers.a] # a\ncommand = "x" # x\n# after a\n\n# about other\n[other] # other\ny = 1 # y\n',
  },
  "after YAML values": {
    format: "yaml",
    table: "extensions",
    text: "extensions: # all\n  a: # a\n    args:\n      - x # x\n      - y # y\n\n  # after a\nother: 1 # other\n",
  },
};

/** Every line with a comment, without the comma that an entry after it needs. */
const commented = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .filter((line) => /\/\/|\/\*|\*\/|#/.test(line))
    .map((line) => line.replaceAll(/[,\s]/g, ""));

describe.each(Object.entries(SAMPLES))("a comment %s", (_, { format, table, text }) => {
  const place = [table, "consentry"] as const;

  it("stays with its line when our entry comes", () => {
    const lines = commented(withEntry(format, text, place, ENTRY));
    for (const line of commented(text)) expect(lines.join("\n")).toContain(line.replace("}}", ""));
  });

  it("is there again in its line when our entry goes", () => {
    const back = withoutEntry(format, withEntry(format, text, place, ENTRY), place);
    const empty = /,(?=\s*\/\/ mine)|"mcpServers": \{\s*\}/g;
    expect(back.replaceAll(empty, "").replaceAll(/\s/g, "")).toBe(
      text.replaceAll(empty, "").replaceAll(/\s/g, ""),
    );
    expect(withEntry(format, withEntry(format, text, place, ENTRY), place, ENTRY)).toBe(
      withEntry(format, text, place, ENTRY),
    );
  });
});

it("the note about a server stays beside it", () => {
  const text = SAMPLES["after the last server"]?.text ?? "";
  expect(withEntry("json", text, ["mcpServers", "consentry"], { command: "c" })).toBe(
    '{\n  "mcpServers": {\n    "a": { "command": "x" }, // a note about a\n    "consentry": {\n      "command": "c"\n    }\n  }\n}\n',
  );
});

it.each([
  [
    "json",
    '{\n  "t": {\n    "consentry": { "command": "n" },\n    // about b\n    "b": 1 // b\n  }\n}\n',
  ],
  [
    "json",
    '{\n  "t": {\n    "b": 1, // b\n    // about ours\n    "consentry": { "command": "n" }\n  }\n}\n',
  ],
  ["json", '{ "t": { "b": 1, /* b */ "consentry": {}, /* about c */ "c": 2 } }'],
  ["toml", '[t.consentry]\ncommand = "n"\n# after ours\n\n# about b\n[t.b] # b\nx = 1\n'],
  [
    "toml",
    '[t.b]\nx = 1 # b\n\n[t.consentry]\ncommand = "n"\n[t.consentry.env]\nA = "1"\n\n# tail\n',
  ],
  ["yaml", "t:\n  consentry:\n    command: n\n  # about b\n  b: 1 # b\n"],
] as const)("comments of others stay when our entry goes: %s %j", (format, text) => {
  const left = withoutEntry(format, text, ["t", "consentry"]);
  expect(left).not.toContain("consentry");
  expect(commented(left)).toEqual(
    commented(text.replace(/"consentry": \{\}|\[t\.consentry.*\n/g, "")).filter(
      (line) => line !== "",
    ),
  );
});

const COMMENTS = ["", " // one", " /* two */", " /* three */ // four", "\n    // five"];

it("no comment of a list is lost or changes its line, whatever stands in it", () => {
  const item = fc.tuple(fc.constantFrom("1", '"x"', '{"a": [1]}'), fc.constantFrom(...COMMENTS));
  const place = { path: ["hooks"], isOurs: (each: unknown) => each === "ours" || isOurs(each) };
  fc.assert(
    fc.property(fc.array(item, { maxLength: 4 }), fc.constantFrom(...COMMENTS), (items, head) => {
      const lines = items.map(
        ([value, comment], at) => `    ${value}${at < items.length - 1 ? "," : ""}${comment}`,
      );
      const text = `{\n  "hooks": [${head}\n${lines.map((line) => `${line}\n`).join("")}  ] // end\n}\n`;
      const changed = withListItem(text, place, { ours: true });
      for (const line of commented(text)) expect(commented(changed)).toContain(line);
      const back = withoutListItem(changed, place);
      expect(back).toBe(text);
    }),
  );
});

const isOurs = (each: unknown): boolean =>
  typeof each === "object" && each !== null && "ours" in each;
