import { expect, it } from "vitest";
import { catalogueEntry } from "../../app/contract/catalogue.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { type Preview, toolFailure } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { createDirectoryTool } from "./create-directory.ts";
import { deleteFileTool } from "./delete-file.ts";
import { editFileTool } from "./edit-file.ts";
import { FILE_TOOLS, type FileToolName } from "./file-tools.ts";
import type { FileTool } from "./files/file-tool.ts";
import { moveFileTool } from "./move-file.ts";
import { exampleAt } from "./testing/example-calls.ts";
import { fakeFiles } from "./testing/fake-files.ts";
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

const RESULTS = {
  write_file: { created: true, bytes_written: 1, sha256: "0".repeat(64) },
  edit_file: { replacements: 1, bytes_written: 1, sha256: "0".repeat(64) },
  create_directory: { created: true },
  move_file: { type: "file", overwrote: false },
  delete_file: { type: "file" },
} as const;

const spy = (ownData: readonly string[] = []) =>
  fakeFiles({ ownData, results: RESULTS, preview: SHOWN });

const EDITS = [{ old_text: "a", new_text: "b" }];

/** Every tool that changes files, with arguments for one path. */
const EVERY = Object.entries(FILE_TOOLS)
  .filter(([, { lane }]) => lane === "change")
  .map(
    ([name, tool]) =>
      [name, tool as FileTool, (path: string) => exampleAt(name as FileToolName, path)] as const,
  );

const writing = (path: string): Root => rootAt(path, "read_write");
const refusal = (word: string) => ({ kind: "refuse", word });

it.each(EVERY)("%s says without touching anything what it wants", (_name, make, args) => {
  const { files, asked } = spy();
  const tool = make.on(files, "posix");
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
  expect(asked).toEqual([]);
});

it.each(EVERY)("%s follows Windows' rules of names as text", (_name, make, args) => {
  const tool = make.on(spy().files, "win32");
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
    const { files, asked } = spy();
    const tool = make.on(files, "posix");
    for (const roots of [[], [rootAt("/a")], [writing("/b")], [writing("/a"), rootAt("/a/b")]]) {
      const run = tool.run(args("/a/b/f"), toolContext({ roots }));
      await expect(run).rejects.toEqual(toolFailure("outside_roots"));
      if (tool.preview === undefined) continue;
      const { agent_id, signal } = toolContext();
      const preview = tool.preview(args("/a/b/f"), { agent_id, roots, given: roots, signal });
      await expect(preview).rejects.toEqual(toolFailure("outside_roots"));
    }
    expect(asked).toEqual([]);
  },
);

it("hands over what was asked for, and what the person saw", async () => {
  const { files, jobs } = spy();
  const context = toolContext({ roots: [writing("/a")], seen: "mark" });
  const place = { rootPath: "/a", path: "/a/f" };
  const run = (tool: FileTool, args: JsonObject) => tool.on(files, "posix").run(args, context);
  const { path } = place;
  expect(await run(writeFileTool, { path, content: "é" })).toEqual(RESULTS.write_file);
  const base64 = { content: "AP8=", encoding: "base64", if_exists: "fail" };
  await run(writeFileTool, { path, ...base64 });
  expect(await run(editFileTool, { path, edits: EDITS })).toEqual(RESULTS.edit_file);
  expect(await run(createDirectoryTool, { path, parents: true })).toEqual(RESULTS.create_directory);
  const ends = { from: path, to: "/a/g" };
  expect(await run(moveFileTool, { ...ends, overwrite: true })).toEqual(RESULTS.move_file);
  expect(await run(deleteFileTool, { path })).toEqual(RESULTS.delete_file);
  const seen = "mark";
  const to = { rootPath: "/a", path: "/a/g" };
  expect(jobs()).toEqual([
    { ...place, bytes: Uint8Array.of(0xc3, 0xa9), ifExists: "replace", seen },
    { ...place, bytes: Uint8Array.of(0, 255), ifExists: "fail", seen },
    { ...place, edits: EDITS, seen },
    { ...place, parents: true },
    { from: place, to, overwrite: true, seen },
    { ...place, homeTrash: "/home/me/Trash", seen },
  ]);
});

it("shows what each would do but the making of a folder, in the folder it would be given", async () => {
  const { files, asked } = spy();
  const { agent_id, signal } = toolContext();
  const roots = [writing("/a")];
  for (const [name, make, args] of EVERY) {
    const tool = make.on(files, "posix");
    const preview = tool.preview?.(args("/a/f"), { agent_id, roots, given: [], signal });
    expect(await preview).toEqual(name === "create_directory" ? undefined : SHOWN);
  }
  expect(asked).toMatchObject([
    { tool: "write_file", drawn: true, job: { rootPath: "/a", seen: null } },
    { tool: "edit_file", drawn: true },
    { tool: "move_file", drawn: true, job: { from: { path: "/a/f" }, to: { path: "/a/f2" } } },
    { tool: "delete_file", drawn: true },
  ]);
});

it("never moves or deletes a root, or a folder that has one inside", async () => {
  const { files, asked } = spy();
  const roots = [writing("/a"), rootAt("/a/b/c")];
  for (const path of ["/a", "/a/b", "/a/b/c"]) {
    for (const [tool, args] of [
      [deleteFileTool.on(files, "posix"), { path }],
      [moveFileTool.on(files, "posix"), { from: path, to: "/a/x" }],
      [moveFileTool.on(files, "posix"), { from: "/a/x", to: path }],
    ] as const) {
      expect(tool.preflight(args, holding(...roots))).toEqual(refusal("is_a_root"));
      const run = tool.run(args, toolContext({ roots }));
      await expect(run).rejects.toEqual(toolFailure("is_a_root"));
    }
  }
  const above = deleteFileTool
    .on(files, "posix")
    .preflight({ path: "/h" }, holding(writing("/h/a")));
  expect(above).toEqual(refusal("outside_roots"));
  expect(asked).toEqual([]);
});

it("never changes the client's own data, nor takes it along", async () => {
  const { files, asked } = spy(["/a/own/data"]);
  const roots = [writing("/a")];
  for (const [, make, args] of EVERY) {
    const tool = make.on(files, "posix");
    for (const path of ["/a/own/data", "/a/own/data/consentry.db", "/a/own/data/x/y"]) {
      for (const held of [[], roots]) {
        expect(tool.preflight(args(path), holding(...held))).toEqual(refusal("outside_roots"));
      }
      const run = tool.run(args(path), toolContext({ roots }));
      await expect(run).rejects.toEqual(toolFailure("outside_roots"));
    }
    expect(tool.preflight(args("/a/own/data-not"), holding(...roots))).toBeNull();
  }
  for (const [tool, args] of [
    [deleteFileTool.on(files, "posix"), { path: "/a/own" }],
    [moveFileTool.on(files, "posix"), { from: "/a/own", to: "/a/x" }],
    [moveFileTool.on(files, "posix"), { from: "/a/x", to: "/a/own/data/x" }],
  ] as const) {
    expect(tool.preflight(args, holding(...roots))).toEqual(refusal("outside_roots"));
    const run = tool.run(args, toolContext({ roots }));
    await expect(run).rejects.toEqual(toolFailure("outside_roots"));
  }
  const mac = writeFileTool
    .on(files, "darwin")
    .preflight({ path: "/a/OWN/Data/x", content: "" }, holding(...roots));
  expect(mac).toEqual(refusal("outside_roots"));
  expect(asked).toEqual([]);
});

it("asks for one folder that holds both ends of a move, or refuses", () => {
  const tool = moveFileTool.on(spy().files, "posix");
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
  const windows = moveFileTool.on(spy().files, "win32");
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
