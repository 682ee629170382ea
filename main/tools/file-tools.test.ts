import { expect, it } from "vitest";
import { catalogueEntry } from "../../app/contract/catalogue.ts";
import type { ToolFailureWord } from "../../app/contract/codes.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { type ToolContext, toolFailure } from "../../app/execution/ports.ts";
import { FILE_TOOLS, type FileToolName } from "./file-tools.ts";
import type { FileService } from "./files/file-tool.ts";
import { getFileInfoTool } from "./get-file-info.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { readFileTool } from "./read-file.ts";
import { searchFilesTool } from "./search-files.ts";
import { exampleAt } from "./testing/example-calls.ts";
import { fakeFiles } from "./testing/fake-files.ts";
import { failureOf, holding, rootAt, toolContext } from "./testing/tool-context.ts";

const contextWith = (...paths: string[]): ToolContext =>
  toolContext({ roots: paths.map((path) => rootAt(path)) });

const READ = { content: "x", encoding: "utf-8", offset: 0, length: 1, size_bytes: 1 } as const;
const SLICE = { ...READ, end_of_file: true };
const PAGE = {
  entries: [{ name: "n", type: "file", size_bytes: 1 }],
  next_after: "n",
  names_skipped: 0,
} as const;
const INFO = {
  type: "file",
  size_bytes: 1,
  modified_at: "2026-01-02T03:04:05.678Z",
  is_readable: true,
} as const;
const NOTHING = {
  matches: [],
  files_searched: 0,
  binary_skipped: 0,
  large_skipped: 0,
  unreadable_skipped: 0,
  names_skipped: 0,
  truncated: null,
} as const;

const spy = (failure?: ToolFailureWord) =>
  fakeFiles({
    results: {
      read_file: SLICE,
      list_directory: PAGE,
      get_file_info: INFO,
      search_files: { ...NOTHING, matches: [{ path: "n" }] },
    },
    before() {
      if (failure !== undefined) throw toolFailure(failure);
    },
  });

/** Every tool that reads files, with arguments for one path. */
const every = (files: FileService) =>
  Object.entries(FILE_TOOLS)
    .filter(([, { lane }]) => lane !== "change")
    .map(([name, tool]) => ({
      tool: tool.on(files, "posix"),
      at: (path: string) => exampleAt(name as FileToolName, path),
    }));

it("wants a root when there is none: the parent of a file, a folder itself", () => {
  const { files } = spy();
  const wanted = { kind: "root_wanted", suggested_path: "/home/me", access: "read" };
  const read = readFileTool.on(files, "posix").preflight({ path: "/home/me/f.txt" }, holding());
  expect(read).toEqual(wanted);
  const list = listDirectoryTool.on(files, "posix").preflight({ path: "/home/me" }, holding());
  expect(list).toEqual(wanted);
  const windows = readFileTool.on(files, "win32").preflight({ path: "c:/Users/f.txt" }, holding());
  expect(windows).toMatchObject({ suggested_path: "C:\\Users" });
});

it.each([["/f.txt"], ["/proc/self/environ"], ["/dev/sda"], ["/sys/x/y"]])(
  "does not ask for a folder that could never be chosen: %s",
  (path) => {
    const preflight = readFileTool.on(spy().files, "posix").preflight({ path }, holding());
    expect(preflight).toEqual({ kind: "refuse", word: "outside_roots" });
  },
);

it("refuses what no root contains, and what is no path, in preflight already", () => {
  const { files, asked } = spy();
  const roots = holding("/a/root");
  for (const { tool, at } of every(files)) {
    expect(tool.preflight(at("/a/root/x"), roots)).toBeNull();
    expect(tool.preflight(at("/a/root-evil/x"), roots)).toEqual({
      kind: "refuse",
      word: "outside_roots",
    });
    for (const path of ["x", "/a/root/../b", "/a/root/\0"]) {
      for (const some of [roots, holding()]) {
        expect(tool.preflight(at(path), some)).toEqual({ kind: "refuse", word: "invalid_path" });
      }
    }
    expect(tool.available()).toBe(true);
  }
  expect(asked).toEqual([]);
});

it("runs in the innermost root that contains the path", async () => {
  const { files, jobs } = spy();
  const context = contextWith("/a", "/a/b/c", "/a/b", "/z");
  const path = "/a/b/c/f";
  await readFileTool.on(files, "posix").run({ path }, context);
  await readFileTool
    .on(files, "posix")
    .run({ path, offset: 3, length: 4, encoding: "base64" }, context);
  await listDirectoryTool.on(files, "posix").run({ path: "/a/b" }, context);
  expect(jobs()).toEqual([
    { rootPath: "/a/b/c", path, offset: 0, encoding: "utf-8" },
    { rootPath: "/a/b/c", path, offset: 3, length: 4, encoding: "base64" },
    { rootPath: "/a/b", path: "/a/b" },
  ]);
});

it("gives back what the file service found", async () => {
  const { files } = spy();
  const context = contextWith("/r");
  expect(await readFileTool.on(files, "posix").run({ path: "/r/f" }, context)).toEqual(SLICE);
  expect(await listDirectoryTool.on(files, "posix").run({ path: "/r" }, context)).toEqual(PAGE);
});

it("touches nothing when its roots have gone since the preflight", async () => {
  const { files, asked } = spy();
  for (const { tool, at } of every(files)) {
    const run = tool.run(at("/r/f"), contextWith("/other"));
    await expect(run).rejects.toMatchObject({ code: "outside_roots" });
  }
  expect(asked).toEqual([]);
});

it.each<ToolFailureWord>(["not_found", "too_large", "not_text", "cancelled"])(
  "passes %s on",
  async (word) => {
    const { files } = spy(word);
    const context = contextWith("/r");
    for (const make of [readFileTool, listDirectoryTool]) {
      expect(await failureOf(make.on(files, "posix").run({ path: "/r/f" }, context))).toBe(word);
    }
  },
);

it("asks for lines when either of their numbers is given, from the first unless said", async () => {
  const { files, jobs } = spy();
  const read = (args: JsonObject) => readFileTool.on(files, "posix").run(args, contextWith("/r"));
  const path = "/r/f";
  await read({ path, line_start: 3 });
  await read({ path, line_count: 2 });
  await read({ path, line_start: 4, line_count: 5, encoding: "utf-8" });
  expect(jobs()).toMatchObject([
    { rootPath: "/r", path, line_start: 3 },
    { rootPath: "/r", path, line_start: 1, line_count: 2 },
    { rootPath: "/r", path, line_start: 4, line_count: 5 },
  ]);
});

it("searches with what was asked, and with the defaults of the schema", async () => {
  const { files, jobs } = spy();
  const search = (args: JsonObject) =>
    searchFilesTool.on(files, "posix").run(args, contextWith("/r"));
  const defaults = { case_sensitive: true, include_hidden: false, max_results: 1000 };
  const wanted = {
    case_sensitive: false,
    include_hidden: true,
    max_results: 3,
    glob: "*",
    text: "t",
  };
  expect(await search({ path: "/r" })).toEqual({ ...NOTHING, matches: [{ path: "n" }] });
  await search({ path: "/r/a", ...wanted });
  expect(jobs()).toEqual([
    { rootPath: "/r", path: "/r", ...defaults },
    { rootPath: "/r", path: "/r/a", ...wanted },
  ]);
});

it("tells how many entries a search has walked; nobody knows how many there are", async () => {
  const told: unknown[] = [];
  const context = { ...contextWith("/r"), progress: (report: unknown) => told.push(report) };
  await searchFilesTool.on(spy().files, "posix").run({ path: "/r" }, context);
  expect(told).toEqual([{ done: 7, total: null, unit: "entries" }]);
});

it("passes pages and details on", async () => {
  const { files, jobs } = spy();
  const page = { path: "/r", after: "m", limit: 7 };
  await listDirectoryTool.on(files, "posix").run(page, contextWith("/r"));
  const info = getFileInfoTool.on(files, "posix").run({ path: "/r/f" }, contextWith("/r"));
  expect(await info).toEqual(INFO);
  expect(jobs()).toEqual([
    { rootPath: "/r", ...page },
    { rootPath: "/r", path: "/r/f" },
  ]);
});

it.each<[string, JsonObject, boolean]>([
  ["read_file", { line_start: 1, line_count: 1 }, true],
  ["read_file", { line_start: 1, encoding: "utf-8" }, true],
  ["read_file", { offset: 0, encoding: "base64" }, true],
  ["read_file", { line_start: 1, offset: 0 }, false],
  ["read_file", { line_count: 1, length: 1 }, false],
  ["read_file", { line_start: 1, encoding: "base64" }, false],
  ["read_file", { line_start: 0 }, false],
  ["read_file", { line_count: 0 }, false],
  ["list_directory", { after: "a", limit: 4096 }, true],
  ["list_directory", { limit: 0 }, false],
  ["list_directory", { limit: 4097 }, false],
  ["get_file_info", {}, true],
  ["get_file_info", { follow: true }, false],
  ["search_files", { glob: "**/{a,{b,c}}*.\\{", text: "x", max_results: 1000 }, true],
  ["search_files", { regex: "x" }, false],
  ["search_files", { text: "" }, false],
  ["search_files", { max_results: 1001 }, false],
  ["search_files", { glob: "" }, false],
  ["search_files", { glob: "a".repeat(257) }, false],
  ["search_files", { glob: "{a" }, false],
  ["search_files", { glob: "a}" }, false],
  ["search_files", { glob: "{{{a}}}" }, false],
  ["search_files", { glob: "\\" }, false],
])("the schema of %s says to %j: %s", (tool, args, accepted) => {
  expect(catalogueEntry(tool)?.acceptsArguments({ path: "/r", ...args })).toBe(accepted);
});
