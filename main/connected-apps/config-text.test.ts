import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ConfigFormat,
  entryIn,
  ownItemsIn,
  withEntry,
  withListItem,
  withoutEntry,
  withoutListItem,
} from "./config-text.ts";

const ENTRY = { command: "/opt/a b/node", args: ["mcp.mjs", "--data-dir", "C:\\d"], timeout: 300 };

interface Sample {
  readonly name: string;
  readonly format: ConfigFormat;
  readonly table: string;
  readonly text: string;
}

const SAMPLES: readonly Sample[] = [
  { name: "no text at all", format: "json", table: "mcpServers", text: "" },
  { name: "an empty object", format: "json", table: "mcpServers", text: "{}" },
  {
    name: "comments, odd spacing and a trailing comma",
    format: "json",
    table: "context_servers",
    text: '// mine\n{\n\t"theme":   "One", // keep\n\t"context_servers": {\n\t\t"x": {"command":"y"},\n\t},\n}\n',
  },
  {
    name: "lines that end as on Windows",
    format: "json",
    table: "servers",
    text: '{\r\n    "servers": { "x": { "command": "y" } },\r\n    "inputs": []\r\n}\r\n',
  },
  {
    name: "another table after that of the servers",
    format: "toml",
    table: "mcp_servers",
    text: '# mine\nmodel = "o3"   # keep\n\n[mcp_servers.x]\ncommand  =  \'y\'\nargs = [ "a",\n  "b" ]\n\n[profiles.fast] # p\nmodel="y"\n',
  },
  {
    name: "servers in an inline table's place",
    format: "toml",
    table: "mcp_servers",
    text: '[mcp_servers]\nx = { command = "y" }\n',
  },
  { name: "no end of line at the end", format: "toml", table: "mcp_servers", text: 'model="a"' },
  {
    name: "comments, quotes and a deep indentation",
    format: "yaml",
    table: "extensions",
    text: '# goose\nGOOSE_MODEL:   "x"  # keep\nextensions:\n    developer:\n        enabled: true\n        args: [ \'a\',   "b" ] # both\n\n# tail\nother: 1\n',
  },
  { name: "no servers", format: "yaml", table: "extensions", text: "GOOSE_MODEL: x\n" },
  { name: "no end of line at the end", format: "yaml", table: "extensions", text: "a: 1" },
];

describe.each(SAMPLES)("$format with $name", ({ format, table, text }) => {
  const place = [table, "consentry"] as const;
  const changed = withEntry(format, text, place, ENTRY);

  it("gets the entry in one place, and keeps every other byte", () => {
    expect(entryIn(format, changed, place)).toEqual(ENTRY);
    const added = longestCommonStart(text, changed);
    const rest = text.slice(added);
    expect(changed.endsWith(rest)).toBe(true);
  });

  it("replaces the entry instead of adding a second one", () => {
    const other = { command: "other" };
    const again = withEntry(format, changed, place, other);
    expect(entryIn(format, again, place)).toEqual(other);
    expect(again.split("consentry")).toHaveLength(2);
  });

  it("has the other servers and settings as before when the entry is taken out", () => {
    const back = withoutEntry(format, changed, place);
    expect(entryIn(format, back, place)).toBeUndefined();
    expect(entryIn(format, back, [table, "x"])).toEqual(
      text.trim() === "" ? undefined : entryIn(format, text, [table, "x"]),
    );
    expect(withoutEntry(format, back, place)).toBe(back);
  });
});

function longestCommonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

it.each([
  ["extensions: {}\nb: 1\n", "extensions:\n  consentry:\n    command: c\nb: 1\n"],
  ["extensions:   { } # mine", "extensions: # mine\n  consentry:\n    command: c\n"],
])("yaml with an empty table in braces gets the entry in that table: %j", (text, expected) => {
  const place = ["extensions", "consentry"] as const;
  const changed = withEntry("yaml", text, place, { command: "c" });
  expect(changed).toBe(expected);
  expect(withoutEntry("yaml", changed, place)).not.toContain("consentry");
});

it.each([
  ["json", "{ nothing"],
  ["json", "[1]"],
  ["json", '{"t": 5}'],
  ["toml", "= 5"],
  ["toml", "t = 5\n"],
  ["toml", 't = { x = { command = "y" } }\n'],
  ["yaml", "t: [\n"],
  ["yaml", "t: { x: { command: y } }\n"],
  ["yaml", "- t\n"],
  ["yaml", "a: 1\na: 2\n"],
] as const)("refuses %s text that it could only guess at: %s", (format, text) => {
  expect(() => withEntry(format, text, ["t", "consentry"], ENTRY)).toThrow("not_understood");
});

describe("our item in a list of hooks", () => {
  const place = {
    path: ["hooks", "PreToolUse"],
    isOurs: (item: unknown) => JSON.stringify(item).includes("consentry"),
  };
  const item = { matcher: "Bash", hooks: [{ type: "command", command: "consentry" }] };
  const TEXTS = {
    "an empty file": "",
    "no hooks": '{\n  // mine\n  "model": "m"\n}\n',
    "another event's hooks": '{\n  "hooks": { "Stop": [ {"a": 1} ] }\n}',
    "hooks of others":
      '{ "hooks": {\n\t"PreToolUse": [\n\t\t{ "matcher": "Edit" }, // mine\n\t],\n} }\n',
    "an empty list": '{"hooks":{"PreToolUse":[]}}',
  };

  it.each(Object.entries(TEXTS))("is added last and taken out again: %s", (_, text) => {
    const changed = withListItem(text, place, item);
    expect(ownItemsIn(changed, place)).toEqual([item]);
    expect(changed.endsWith(text.slice(longestCommonStart(text, changed)))).toBe(true);
    const again = withListItem(changed, place, { ...item, matcher: "Edit, consentry" });
    expect(ownItemsIn(again, place)).toHaveLength(1);
    const back = withoutListItem(changed, place);
    expect(ownItemsIn(back, place)).toEqual([]);
    expect(withoutListItem(back, place)).toBe(back);
  });

  it.each(['{ "hooks": [] }', '{ "hooks": { "PreToolUse": {} } }', "{ half"])(
    "is not put where something else stands: %s",
    (text) => {
      expect(() => withListItem(text, place, item)).toThrow("not_understood");
    },
  );
});

it("never loses or changes another setting, whatever stands in a file", () => {
  const words = fc.stringMatching(/^[a-z]{1,8}$/);
  const values = fc.dictionary(
    words,
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 })),
  );
  fc.assert(
    fc.property(values, fc.dictionary(words, values), (settings, servers) => {
      const whole = { ...settings, servers };
      const text = JSON.stringify(whole, null, 2);
      const changed = withEntry("json", text, ["servers", "consentry"], ENTRY);
      expect(JSON.parse(changed)).toEqual({ ...whole, servers: { ...servers, consentry: ENTRY } });
      expect(JSON.parse(withoutEntry("json", changed, ["servers", "consentry"]))).toEqual(whole);
    }),
  );
});
