import { describe, expect, it } from "vitest";
import { AGENT_CATALOGUE } from "./agent-catalogue.ts";
import { covers, subjectOf as subjectOfTool, WHOLE_SCOPE } from "./call-subject.ts";
import { CATALOGUE, type ToolName } from "./catalogue.ts";
import type { JsonObject } from "./json.ts";

const subjectOf = (tool: ToolName, args: JsonObject, roots: readonly string[]) => {
  const entry = CATALOGUE.get(tool);
  if (entry === undefined) throw new TypeError(tool);
  return subjectOfTool(entry, args, roots);
};

const ROOTS = ["/home/ada/proj"];
const folder = (path: string) => ({ kind: "folder", path });

describe("what a call is about", () => {
  it.each([
    ["read_file", "/home/ada/proj/src/big.ts", "/home/ada/proj/src"],
    ["read_file", "/home/ada/proj/notes.md", "/home/ada/proj"],
    ["get_file_info", "/home/ada/proj/src", "/home/ada/proj"],
    ["get_file_info", "/home/ada/proj", "/home/ada/proj"],
    ["list_directory", "/home/ada/proj/src", "/home/ada/proj/src"],
    ["list_directory", "/home/ada/proj", "/home/ada/proj"],
    ["search_files", "/home/ada/proj/src", "/home/ada/proj/src"],
  ] as const)("%s of %s is about the folder %s", (tool, path, expected) => {
    expect(subjectOf(tool, { path }, ROOTS)).toEqual(folder(expected));
  });

  it("a file whose folder was not given is the subject alone", () => {
    const given = "/home/ada/notes.md";
    for (const roots of [[], [given]]) {
      expect(subjectOf("read_file", { path: given }, roots)).toEqual({ kind: "file", path: given });
    }
  });

  it.each([
    [{ url: "https://Example.COM/a?b#c" }, { host: "example.com", port: 443 }],
    [{ url: "http://example.com/" }, { host: "example.com", port: 80 }],
    [
      { url: "http://example.com:8080/", method: "HEAD" },
      { host: "example.com", port: 8080 },
    ],
    [
      { url: "https://[FD00::1]/", method: "GET" },
      { host: "fd00::1", port: 443 },
    ],
    [{ url: "http://0x7f.1/" }, { host: "127.0.0.1", port: 80 }],
    [
      { url: "https://a.test/", headers: { ACCEPT: "text/html", "If-None-Match": "x" } },
      { host: "a.test", port: 443 },
    ],
  ])("fetch_url with %j is about its host and port", (args, host) => {
    expect(subjectOf("fetch_url", args, [])).toEqual({ kind: "host", ...host });
  });

  it.each([
    [{ method: "POST" }],
    [{ method: "POST", body: "" }],
    [{ method: "PUT" }],
    [{ method: "DELETE" }],
    [{ method: "get" }],
    [{ headers: { Authorization: "Bearer x" } }],
    [{ headers: { "x-api-key": "x" } }],
    [{ headers: { "X-Anything": "" } }],
    [{ headers: { accept: "*/*", Cookie: "a=b" } }],
    [{ headers: { referer: "https://a.test/" } }],
  ])("fetch_url that sends something is asked about each time: %j", (more) => {
    expect(subjectOf("fetch_url", { url: "https://a.test/", ...more }, [])).toBeNull();
  });

  it("a host whose name is too long to exist is asked about each time", () => {
    const named = (chars: number) => ({ url: `https://${"a".repeat(chars)}/` });
    expect(subjectOf("fetch_url", named(255), [])).not.toBeNull();
    expect(subjectOf("fetch_url", named(256), [])).toBeNull();
  });

  it("nothing that changes something or runs a program has a subject", () => {
    const changing = [...CATALOGUE.values()].filter(({ scope }) =>
      ["filesystem:write", "shell:exec"].includes(scope),
    );
    expect(changing.length).toBeGreaterThan(0);
    for (const { name } of changing) {
      expect(subjectOf(name, { path: "/home/ada/proj/x" }, ROOTS)).toBeNull();
    }
  });

  it("keys and passwords have none, and what runs at the next build is itself alone", () => {
    for (const path of ["/home/ada/proj/.env", "/home/ada/.ssh", "/home/ada/proj/id_rsa"]) {
      for (const tool of ["read_file", "list_directory", "search_files"] as const) {
        expect(subjectOf(tool, { path }, ROOTS), path).toBeNull();
      }
    }
    const edit = AGENT_CATALOGUE.get("edit_file");
    const subjectOfEdit = (path: string) => edit && subjectOfTool(edit, { path }, ROOTS);
    expect(subjectOfEdit("/home/ada/proj/CLAUDE.md")).toBeNull();
    // What the agent has open is asked about as one.
    expect(subjectOfEdit("/home/ada/proj/src/a.ts")).toEqual(folder("/home/ada/proj"));
    expect(subjectOfEdit("/home/ada/other/a.ts")).toBeNull();
    const named = { kind: "named_file", path: "/home/ada/proj/package.json" } as const;
    expect(subjectOfEdit(named.path)).toEqual(named);
    expect(covers({ kind: "folder", path: "/home/ada/proj" }, named)).toBe(false);
    expect(covers(WHOLE_SCOPE, named)).toBe(false);
    expect(covers(named, named)).toBe(true);
  });

  it("a path that is not plain has none", () => {
    for (const path of ["notes.md", "/a/../b", "", 7, null]) {
      expect(subjectOf("read_file", { path }, ROOTS)).toBeNull();
    }
  });
});

it("nothing covers a call without a subject, and the whole scope every other", () => {
  const some = [WHOLE_SCOPE, { kind: "host", host: "a.test", port: 443 } as const];
  for (const given of some) expect(covers(given, null)).toBe(false);
  for (const subject of some) expect(covers(WHOLE_SCOPE, subject)).toBe(true);
});

it.each([
  [{ kind: "host", host: "a.test", port: 443 }, true],
  [{ kind: "host", host: "a.test", port: 80 }, false],
  [{ kind: "host", host: "b.a.test", port: 443 }, false],
  [{ kind: "folder", path: "/a.test" }, false],
  [{ kind: "scope" }, false],
] as const)("a host with its port covers %j: %j", (subject, expected) => {
  expect(covers({ kind: "host", host: "a.test", port: 443 }, subject)).toBe(expected);
});

it.each([
  [{ kind: "file", path: "/a/b" }, true],
  [{ kind: "file", path: "/a/b/c" }, false],
  [{ kind: "folder", path: "/a/b" }, false],
] as const)("a file covers %j: %j", (subject, expected) => {
  expect(covers({ kind: "file", path: "/a/b" }, subject)).toBe(expected);
  expect(covers({ kind: "folder", path: "/a" }, subject)).toBe(true);
});

it("a tool of the agent's own is its subject, and a plan is none", () => {
  const entry = AGENT_CATALOGUE.get("use_tool");
  if (entry === undefined) throw new TypeError("use_tool");
  const about = (tool: string) => subjectOfTool(entry, { tool, input: {}, destructive: false }, []);
  expect(about("mcp__tracker__get")).toEqual({ kind: "tool", tool: "mcp__tracker__get" });
  expect(covers({ kind: "tool", tool: "mcp__tracker__get" }, about("mcp__tracker__get"))).toBe(
    true,
  );
  expect(covers({ kind: "tool", tool: "mcp__tracker__get" }, about("mcp__tracker__put"))).toBe(
    false,
  );
  expect(about("ExitPlanMode")).toBeNull();
});
