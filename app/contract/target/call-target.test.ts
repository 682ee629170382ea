import { describe, expect, it, test } from "vitest";
import { CATALOGUE } from "../catalogue.ts";
import type { ConsentPreview, DiffLine } from "../consent-preview.ts";
import type { JsonObject } from "../json.ts";
import { callTarget } from "./call-target.ts";

const PROJ = "/home/ada/proj";

const about = (
  tool_name: string,
  args: JsonObject,
  preview: ConsentPreview | null = null,
  folders: readonly string[] = [PROJ],
) => callTarget({ tool_name, arguments: args, preview, folders });

/** The parts as they would be read, without markup. */
const words = (tool: string, args: JsonObject, preview: ConsentPreview | null = null) => {
  const { kind, parts } = about(tool, args, preview);
  const texts = Object.values(parts).map((part) => {
    switch (part.kind) {
      case "path":
        return part.lead + part.name;
      case "address":
        return part.lead + part.host + part.rest;
      default:
        return part.text;
    }
  });
  return [kind, ...texts];
};

const change = (lines: readonly DiffLine[], executable = false): ConsentPreview => ({
  kind: "text_change",
  change: "replace",
  size_before: 1,
  size_after: 1,
  executable,
  hunks: [{ old_start: 1, new_start: 1, lines }],
});

const bigFile = `${PROJ}/src/big.ts`;

describe("each tool of the catalogue has something that its calls are about", () => {
  it.each([...CATALOGUE.values()])("$name", ({ name, example }) => {
    expect(about(name, example).kind).not.toBe("other");
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ["read_file", { path: bigFile }, ["read", "proj/src/big.ts"]],
    ["list_directory", { path: PROJ }, ["list", "proj"]],
    ["search_files", { path: PROJ, text: "TODO" }, ["search_text", "proj", "TODO"]],
    ["get_file_info", { path: bigFile }, ["inspect", "proj/src/big.ts"]],
    ["write_file", { path: bigFile, content: "" }, ["write", "proj/src/big.ts"]],
    ["edit_file", { path: bigFile, edits: [] }, ["edit", "proj/src/big.ts"]],
    ["create_directory", { path: `${PROJ}/new` }, ["make_folder", "proj/new"]],
    ["move_file", { from: bigFile, to: `${PROJ}/b` }, ["move", "proj/src/big.ts", "proj/b"]],
    ["delete_file", { path: bigFile }, ["delete", "proj/src/big.ts"]],
    ["read_clipboard", {}, ["read_clipboard"]],
    ["write_clipboard", { text: "hello" }, ["copy_text", "hello"]],
    ["send_notification", { title: "Done" }, ["notify", "Done"]],
    ["fetch_url", { url: "https://host/path?q" }, ["fetch", "https://host/path?q"]],
    ["get_location", { accuracy: "fine" }, ["locate_exactly"]],
    ["run_command", { argv: ["git", "push"], directory: PROJ }, ["run", "git push", "proj"]],
  ])("a call of %s with %j is about %j", (tool, args, target) => {
    expect(words(tool, args)).toEqual(target);
  });

  it("and so has one that is called by its other name", () => {
    expect(words("fetch_web_page", { url: "https://host/" })).toEqual(["fetch", "https://host/"]);
  });
});

describe("a call without a clear target", () => {
  it("is left to the arguments", () => {
    for (const [tool, args] of [
      ["book_flight", { path: bigFile }],
      ["read_file", {}],
      ["read_file", { path: "notes.md" }],
      ["read_file", { path: 7 }],
      ["read_file", { path: "/" }],
      ["move_file", { from: bigFile }],
      ["run_command", { argv: [], directory: PROJ }],
      ["run_command", { argv: "git push", directory: PROJ }],
      ["constructor", {}],
    ] as const) {
      expect(about(tool, args as JsonObject)).toMatchObject({ kind: "other", says: [] });
    }
  });

  it("nor an address in which a parser would find another host", () => {
    for (const url of [
      "https://good.example\\@evil.example/",
      "https://good.example@evil.example/",
      "https:evil.example",
      "https:/\\evil.example",
      "https://good.example\t.evil.example/",
      "https://good\u200b.example/",
      "https:///evil.example/",
      " https://evil.example/",
    ]) {
      expect(about("fetch_url", { url }).kind, url).toBe("other");
    }
  });
});

describe("a path", () => {
  it("begins with the name of the innermost given folder", () => {
    const folders = ["/home/ada", PROJ, "/home/ada/project"];
    const target = about("read_file", { path: bigFile }, null, folders);
    expect(target).toMatchObject({ parts: { path: { lead: "proj/src/", name: "big.ts" } } });
  });

  it("is absolute anywhere else, and said to be outside once there is an inside", () => {
    const path = "/home/ada/project/a";
    expect(about("read_file", { path })).toMatchObject({
      parts: { path: { lead: "/home/ada/project/", name: "a" } },
      marks: ["outside"],
    });
    expect(about("read_file", { path }, null, []).marks).toEqual([]);
  });

  it("of Windows too, in any case of the drive and of ASCII", () => {
    const call = (path: string) => about("read_file", { path }, null, ["C:\\Users\\Ada\\proj"]);
    expect(call("c:\\users\\ADA\\Proj\\Src\\big.ts")).toMatchObject({
      parts: { path: { lead: "Proj\\Src\\", name: "big.ts", whole: true } },
      marks: [],
    });
    expect(call("D:\\Users\\Ada\\proj\\x")).toMatchObject({
      parts: { path: { lead: "D:\\Users\\Ada\\proj\\", name: "x" } },
      marks: ["outside"],
    });
  });

  it("that is too long for a heading keeps its beginning and its end, and its argument", () => {
    const path = `${PROJ}/${"deep/".repeat(60)}.git/hooks/pre-commit`;
    const name = `${"long".repeat(60)}.desktop`;
    expect(words("read_file", { path: `${PROJ}/${name}` })[1]).toBe(
      `proj/${"long".repeat(15)}…${name.slice(-20)}`,
    );
    const target = about("read_file", { path });
    expect(target).toMatchObject({ says: [], marks: ["git_hook"], parts: { path: { path } } });
    expect(words("read_file", { path })[1]).toMatch(
      /^proj\/…\/deep\/(?:deep\/)+\.git\/hooks\/pre-commit$/,
    );
  });

  it("that would be drawn as very many escapes is cut as if it were as long", () => {
    const path = `${PROJ}/${"\u202e".repeat(100)}.txt`;
    const target = about("read_file", { path });
    expect(target.says).toEqual([]);
    expect(words("read_file", { path })[1]).toBe(
      `proj/${"\u202e".repeat(7)}…${"\u202e".repeat(2)}.txt`,
    );
  });

  it("in a folder that is called as what is left out is not taken for whole", () => {
    const path = `${PROJ}/…/a`;
    expect(words("read_file", { path })).toEqual(["read", "proj/…/a"]);
    expect(about("read_file", { path }).says).toEqual([]);
  });
});

describe("what would change is counted", () => {
  it("in lines, from the preview", () => {
    const lines: DiffLine[] = [
      { kind: "same", text: "a" },
      { kind: "removed", text: "b" },
      { kind: "added", text: "c" },
      { kind: "added", text: "d" },
    ];
    expect(about("write_file", { path: bigFile }, change(lines))).toMatchObject({
      kind: "replace",
      count: { kind: "lines", added: 2, removed: 1 },
    });
  });

  it("in bytes, where it is no text", () => {
    const preview: ConsentPreview = {
      kind: "bytes_change",
      change: "create",
      size_before: null,
      size_after: 12,
      executable: false,
    };
    expect(about("write_file", { path: bigFile }, preview)).toMatchObject({
      kind: "create",
      count: { kind: "bytes", count: 12 },
    });
  });

  it("in entries, of a folder", () => {
    const folder = { kind: "entry", entry: "directory", size_bytes: null, entries: 1204 } as const;
    const target = about("delete_file", { path: PROJ }, { ...folder, overwrites: false });
    expect(target).toMatchObject({
      kind: "delete_folder",
      count: { kind: "entries", count: 1204 },
    });
  });
});

describe("what is written to be run is marked", () => {
  const marks = (tool: string, args: JsonObject, preview: ConsentPreview | null = null) =>
    about(tool, { path: `${PROJ}/run`, ...args }, preview).marks;

  it("by its first line", () => {
    expect(marks("write_file", { content: "#!/bin/sh\n" })).toEqual(["executable"]);
    expect(marks("write_file", { content: "IyEvYmluL3No", encoding: "base64" })).toEqual([
      "executable",
    ]);
    expect(marks("write_file", { content: "echo\n#!/bin/sh" })).toEqual([]);
    const added: DiffLine[] = [
      { kind: "removed", text: "x" },
      { kind: "added", text: "#!/bin/sh" },
    ];
    expect(marks("edit_file", { edits: [] }, change(added))).toEqual(["executable"]);
    const removed: DiffLine[] = [
      { kind: "removed", text: "#!/bin/sh" },
      { kind: "added", text: "x" },
    ];
    expect(marks("edit_file", { edits: [] }, change(removed))).toEqual([]);
  });

  it("by the file that is there", () => {
    expect(marks("edit_file", { edits: [] }, change([], true))).toEqual(["executable"]);
    expect(marks("write_file", { content: "" }, change([], true))).toEqual(["executable"]);
    const linked = { ...change([]), linked: true } as ConsentPreview;
    expect(marks("edit_file", { edits: [] }, linked)).toEqual(["linked"]);
    expect(marks("write_file", { content: "" }, linked)).toEqual(["linked"]);
  });

  it("by its name", () => {
    expect(about("write_file", { path: `${PROJ}/a.cmd`, content: "" }).marks).toEqual([
      "executable",
    ]);
    expect(about("move_file", { from: bigFile, to: `${PROJ}/a.cmd` }).marks).toEqual([
      "executable",
    ]);
    expect(about("read_file", { path: `${PROJ}/a.cmd` }).marks).toEqual([]);
  });
});

test("a move tells the marks of both its ends", () => {
  const args = { from: `${PROJ}/.env`, to: `${PROJ}/.git/hooks/pre-commit` };
  expect(about("move_file", args).marks).toEqual(["git_hook", "secrets"]);
});

describe("a command", () => {
  const run = (...argv: string[]) => about("run_command", { argv, directory: PROJ });

  it("is told word for word, where its words are clear", () => {
    const text = (...argv: string[]) => words("run_command", { argv, directory: PROJ })[1];
    expect(text("git", "commit", "-m", "fix it", "")).toBe('git commit -m "fix it" ""');
    expect(run("git", "commit", "-m", "fix it").says).toEqual(["directory", "argv"]);
    expect(text("sh", "-c", "git add -A\n  git commit")).toBe('sh -c "git add -A ¶ git commit"');
    expect(text("seq", "9".repeat(200))).toBe(`seq ${"9".repeat(116)}…`);
  });

  it("is left to its arguments, where they are not", () => {
    for (const word of ['say "hi"', "a\nb", "a ¶ b", "a¶b", "a\u200bb", "a\\ b", "x".repeat(200)]) {
      expect(run("echo", word).says, word).toEqual(["directory"]);
    }
  });

  it("has the marks of the paths it names", () => {
    expect(run("cp", "x", ".git/hooks/pre-commit").marks).toEqual(["git_hook"]);
    expect(run("cat", "../.ssh/id_rsa").marks).toEqual(["secrets", "outside"]);
    expect(run("cat", `${PROJ}/../.ssh/id_rsa`).marks).toEqual(["secrets", "outside"]);
    expect(run("tool", "--config=/etc/hosts").marks).toEqual(["outside"]);
    expect(run("/usr/bin/git", "push", "https://host/.git").marks).toEqual([]);
    expect(run("npm", "test", "--", "src/a.test.ts").marks).toEqual([]);
  });
});

describe("an address", () => {
  it("to which something is sent is its host, with what is sent left in sight", () => {
    const args = { url: "https://evil.example:8443/a", method: "POST", body: "x" };
    expect(words("fetch_url", args)).toEqual(["send", "evil.example:8443"]);
    expect(about("fetch_url", args).says).toEqual([]);
  });

  it("that is only read from is shown whole, even with harmless header fields", () => {
    const url = "https://host/a";
    const kind = (more: JsonObject) => about("fetch_url", { url, ...more }).kind;
    expect(kind({ headers: { Accept: "text/html" } })).toBe("fetch");
    expect(kind({ method: "HEAD" })).toBe("fetch_headers");
    expect(kind({ headers: { Authorization: "Bearer x" } })).toBe("send");
    expect(kind({ method: "DELETE" })).toBe("send");
    expect(kind({ headers: "Authorization: x" })).toBe("send");
  });

  it("keeps its host whatever follows it, and that is drawn as it is", () => {
    const url = "https://host/login?next=\u202e\\@other\n";
    expect(about("fetch_url", { url })).toMatchObject({
      parts: { address: { host: "host", rest: "/login?next=\u202e\\@other\n", whole: true } },
    });
    expect(URL.parse(url)?.host).toBe("host");
  });

  it("that is long loses its end, never its host", () => {
    const url = `https://host/${"x".repeat(200)}`;
    expect(words("fetch_url", { url })[1]).toBe(`https://host/${"x".repeat(119)}…`);
    expect(about("fetch_url", { url }).says).toEqual(["method"]);
  });
});
