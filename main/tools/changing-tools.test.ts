import { expect, it } from "vitest";
import { catalogueEntry } from "../../app/contract/catalogue.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { type Preview, type Tool, ToolFailure } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { createDirectoryTool } from "./create-directory.ts";
import { deleteFileTool } from "./delete-file.ts";
import { editFileTool } from "./edit-file.ts";
import type { Change } from "./files/file-jobs.ts";
import type { FileChanges } from "./files/file-service.ts";
import type { PathPlatform } from "./files/paths/path-rules.ts";
import { moveFileTool } from "./move-file.ts";
import { holding, rootAt, toolContext } from "./testing/tool-context.ts";
import { writeFileTool } from "./write-file.ts";

const SHOWN: Preview = {
  shown: {
    kind: "bytes_change",
    change: "create",
    size_before: null,
    size_after: 1,
    executable: false,
  },
  seen: "mark",
};

const VALUES = {
  write: { created: true, bytes_written: 1, sha256: "0".repeat(64) },
  edit: { replacements: 1, bytes_written: 1, sha256: "0".repeat(64) },
  make_directory: { created: true },
  move: { type: "file", overwrote: false },
  trash: { type: "file" },
} as const;

function spy(ownData: readonly string[] = []): {
  readonly files: FileChanges;
  readonly jobs: unknown[];
} {
  const jobs: unknown[] = [];
  const files: FileChanges = {
    homeTrash: "/home/me/Trash",
    ownData,
    async change(job: Change) {
      jobs.push(job);
      return VALUES[job.kind] as never;
    },
    async preview(of) {
      jobs.push({ preview: of });
      return SHOWN;
    },
  };
  return { files, jobs };
}

const EDITS = [{ old_text: "a", new_text: "b" }];

/** Every tool, with arguments for one path. */
const EVERY: readonly (readonly [
  name: string,
  make: (files: FileChanges, platform: PathPlatform) => Tool,
  args: (path: string) => JsonObject,
])[] = [
  ["write_file", writeFileTool, (path) => ({ path, content: "x" })],
  ["edit_file", editFileTool, (path) => ({ path, edits: EDITS })],
  ["create_directory", createDirectoryTool, (path) => ({ path })],
  ["move_file", moveFileTool, (path) => ({ from: path, to: `${path}2` })],
  ["delete_file", deleteFileTool, (path) => ({ path })],
];

const writing = (path: string): Root => rootAt(path, "read_write");
const refusal = (word: string) => ({ kind: "refuse", word });

it.each(EVERY)("%s says without touching anything what it wants", (_name, make, args) => {
  const { files, jobs } = spy();
  const tool = make(files, "posix");
  const ask = (path: string, ...roots: readonly Root[]) =>
    tool.preflight(args(path), holding(...roots));
  const wanted = { kind: "root_wanted", suggested_path: "/a", access: "read_write" };
  expect(ask("/a/f", writing("/a"))).toBeNull();
  expect(ask("/a/f", rootAt("/a"))).toEqual(wanted);
  expect(ask("/a/f")).toEqual(wanted);
  expect(ask("/a-evil/f", writing("/a"))).toEqual(refusal("outside_roots"));
  expect(ask("/a/../f", writing("/a"))).toEqual(refusal("invalid_path"));
  expect(ask("/f")).toEqual(refusal("outside_roots"));
  expect(ask("/proc/x/f")).toEqual(refusal("outside_roots"));
  expect(tool.available()).toBe(true);
  expect(jobs).toEqual([]);
});

it.each(EVERY)("%s follows Windows' rules of names as text", (_name, make, args) => {
  const tool = make(spy().files, "win32");
  const ask = (path: string) => tool.preflight(args(path), holding(writing("C:\\a")));
  for (const name of ["x.", "x ", "NUL", "com1.txt", "a:b", "PROGRA~1", "a\\..\\b", "a?"]) {
    expect(tool.preflight(args(`C:\\a\\${name}\\f`), holding())).toEqual(refusal("invalid_path"));
    expect(ask(`C:\\a\\${name}\\f`)).toEqual(refusal("invalid_path"));
  }
  expect(ask("\\\\server\\share\\f")).toEqual(refusal("invalid_path"));
  expect(ask("D:\\a\\f")).toEqual(refusal("outside_roots"));
  expect(ask("c:/A/f")).toBeNull();
});

it.each(EVERY)(
  "%s touches nothing when its root has gone or may only be read",
  async (_n, make, args) => {
    const { files, jobs } = spy();
    const tool = make(files, "posix");
    for (const roots of [[], [rootAt("/a")], [writing("/b")], [writing("/a"), rootAt("/a/b")]]) {
      const run = tool.run(args("/a/b/f"), toolContext({ roots }));
      await expect(run).rejects.toEqual(new ToolFailure("outside_roots"));
      if (tool.preview === undefined) continue;
      const { agent_id, signal } = toolContext();
      const preview = tool.preview(args("/a/b/f"), { agent_id, roots, given: roots, signal });
      await expect(preview).rejects.toEqual(new ToolFailure("outside_roots"));
    }
    expect(jobs).toEqual([]);
  },
);

it("hands over what was asked for, and what the person saw", async () => {
  const { files, jobs } = spy();
  const context = toolContext({ roots: [writing("/a")], seen: "mark" });
  const place = { rootPath: "/a", path: "/a/f" };
  const run = (make: (typeof EVERY)[number][1], args: JsonObject) =>
    make(files, "posix").run(args, context);
  const { path } = place;
  expect(await run(writeFileTool, { path, content: "é" })).toEqual(VALUES.write);
  const base64 = { content: "AP8=", encoding: "base64", if_exists: "fail" };
  await run(writeFileTool, { path, ...base64 });
  expect(await run(editFileTool, { path, edits: EDITS })).toEqual(VALUES.edit);
  expect(await run(createDirectoryTool, { path, parents: true })).toEqual(VALUES.make_directory);
  const ends = { from: path, to: "/a/g" };
  expect(await run(moveFileTool, { ...ends, overwrite: true })).toEqual(VALUES.move);
  expect(await run(deleteFileTool, { path })).toEqual(VALUES.trash);
  const seen = "mark";
  const to = { rootPath: "/a", path: "/a/g" };
  expect(jobs).toEqual([
    { kind: "write", ...place, bytes: Uint8Array.of(0xc3, 0xa9), ifExists: "replace", seen },
    { kind: "write", ...place, bytes: Uint8Array.of(0, 255), ifExists: "fail", seen },
    { kind: "edit", ...place, edits: EDITS, seen },
    { kind: "make_directory", ...place, parents: true },
    { kind: "move", from: place, to, overwrite: true, seen },
    { kind: "trash", ...place, homeTrash: "/home/me/Trash", seen },
  ]);
});

it("shows what each would do but the making of a folder, in the folder it would be given", async () => {
  const { files, jobs } = spy();
  const { agent_id, signal } = toolContext();
  for (const [, make, args] of EVERY) {
    const tool = make(files, "posix");
    const preview = tool.preview?.(args("/a/f"), {
      agent_id,
      roots: [writing("/a")],
      given: [],
      signal,
    });
    expect(await preview).toEqual(make === createDirectoryTool ? undefined : SHOWN);
  }
  expect(jobs).toMatchObject([
    { preview: { kind: "write", rootPath: "/a", seen: null } },
    { preview: { kind: "edit" } },
    { preview: { kind: "move", from: { path: "/a/f" }, to: { path: "/a/f2" } } },
    { preview: { kind: "trash" } },
  ]);
});

it("never moves or deletes a root, or a folder that has one inside", async () => {
  const { files, jobs } = spy();
  const roots = [writing("/a"), rootAt("/a/b/c")];
  for (const path of ["/a", "/a/b", "/a/b/c"]) {
    for (const [tool, args] of [
      [deleteFileTool(files, "posix"), { path }],
      [moveFileTool(files, "posix"), { from: path, to: "/a/x" }],
      [moveFileTool(files, "posix"), { from: "/a/x", to: path }],
    ] as const) {
      expect(tool.preflight(args, holding(...roots))).toEqual(refusal("is_a_root"));
      const run = tool.run(args, toolContext({ roots }));
      await expect(run).rejects.toEqual(new ToolFailure("is_a_root"));
    }
  }
  const above = deleteFileTool(files, "posix").preflight({ path: "/h" }, holding(writing("/h/a")));
  expect(above).toEqual(refusal("outside_roots"));
  expect(jobs).toEqual([]);
});

it("never changes the client's own data, nor takes it along", async () => {
  const { files, jobs } = spy(["/a/own/data"]);
  const roots = [writing("/a")];
  for (const [, make, args] of EVERY) {
    const tool = make(files, "posix");
    for (const path of ["/a/own/data", "/a/own/data/consentry.db", "/a/own/data/x/y"]) {
      for (const held of [[], roots]) {
        expect(tool.preflight(args(path), holding(...held))).toEqual(refusal("outside_roots"));
      }
      const run = tool.run(args(path), toolContext({ roots }));
      await expect(run).rejects.toEqual(new ToolFailure("outside_roots"));
    }
    expect(tool.preflight(args("/a/own/data-not"), holding(...roots))).toBeNull();
  }
  for (const [tool, args] of [
    [deleteFileTool(files, "posix"), { path: "/a/own" }],
    [moveFileTool(files, "posix"), { from: "/a/own", to: "/a/x" }],
    [moveFileTool(files, "posix"), { from: "/a/x", to: "/a/own/data/x" }],
  ] as const) {
    expect(tool.preflight(args, holding(...roots))).toEqual(refusal("outside_roots"));
    const run = tool.run(args, toolContext({ roots }));
    await expect(run).rejects.toEqual(new ToolFailure("outside_roots"));
  }
  const mac = writeFileTool(files, "darwin").preflight(
    { path: "/a/OWN/Data/x", content: "" },
    holding(...roots),
  );
  expect(mac).toEqual(refusal("outside_roots"));
  expect(jobs).toEqual([]);
});

it("asks for one folder that holds both ends of a move, or refuses", () => {
  const tool = moveFileTool(spy().files, "posix");
  const ask = (from: string, to: string, ...roots: readonly Root[]) =>
    tool.preflight({ from, to }, holding(...roots));
  const wanted = (path: string) => ({
    kind: "root_wanted",
    suggested_path: path,
    access: "read_write",
  });
  expect(ask("/h/a/x", "/h/b/x")).toEqual(wanted("/h"));
  expect(ask("/h/a/x", "/h/a/y")).toEqual(wanted("/h/a"));
  expect(ask("/h/x", "/g/x")).toEqual(refusal("outside_roots"));
  expect(ask("/h/a/x", "/h/b/x", rootAt("/h"))).toEqual(wanted("/h"));
  expect(ask("/h/a/x", "/h/b/x", writing("/h/a"), rootAt("/h/b"))).toEqual(wanted("/h/b"));
  expect(ask("/h/a/x", "/h/b/x", rootAt("/h/a"), rootAt("/h/b"))).toEqual(refusal("outside_roots"));
  expect(ask("/h/a/x", "/h/b/x", writing("/h/a"))).toEqual(refusal("outside_roots"));
  expect(ask("/h/a", "/h/a/x", writing("/h"))).toEqual(refusal("invalid_path"));
  expect(ask("/h/a", "/h/a", writing("/h"))).toEqual(refusal("invalid_path"));
  expect(ask("/h/a/x", "/h/a/../y", writing("/h"))).toEqual(refusal("invalid_path"));
  const windows = moveFileTool(spy().files, "win32");
  const apart = { from: "C:\\a\\x", to: "D:\\a\\x" };
  expect(windows.preflight(apart, holding())).toEqual(refusal("outside_roots"));
});

it.each<[string, JsonObject, boolean]>([
  ["write_file", { content: "" }, true],
  ["write_file", { content: "x", encoding: "utf-8", if_exists: "fail" }, true],
  ["write_file", { content: "AAE=", encoding: "base64" }, true],
  ["write_file", { content: "AAE", encoding: "base64" }, false],
  ["write_file", { content: "A\nE=", encoding: "base64" }, false],
  ["write_file", { content: "é", encoding: "base64" }, false],
  ["write_file", { content: "x", if_exists: "append" }, false],
  ["write_file", { content: "x", mode: 511 }, false],
  ["write_file", { content: "x".repeat(65_537) }, false],
  ["write_file", {}, false],
  ["edit_file", { edits: [{ old_text: "a", new_text: "", replace_all: true }] }, true],
  ["edit_file", { edits: [{ old_text: "", new_text: "a" }] }, false],
  ["edit_file", { edits: [] }, false],
  ["edit_file", { edits: Array.from({ length: 257 }, () => EDITS[0] ?? {}) }, false],
  ["edit_file", { edits: [{ old_text: "a", new_text: "b", line: 1 }] }, false],
  ["create_directory", { parents: true }, true],
  ["create_directory", { mode: 1 }, false],
  ["delete_file", {}, true],
  ["delete_file", { recursive: true }, false],
])("the schema of %s says to %j: %s", (tool, args, accepted) => {
  expect(catalogueEntry(tool)?.acceptsArguments({ path: "/r", ...args })).toBe(accepted);
});

it("a move has two ends", () => {
  const accepts = (args: JsonObject) => catalogueEntry("move_file")?.acceptsArguments(args);
  expect(accepts({ from: "/a", to: "/b", overwrite: true })).toBe(true);
  expect(accepts({ from: "/a" })).toBe(false);
  expect(accepts({ path: "/a", to: "/b" })).toBe(false);
});
