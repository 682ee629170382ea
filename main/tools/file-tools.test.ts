import { expect, it } from "vitest";
import { catalogueEntry } from "../../app/contract/catalogue.ts";
import type { ToolFailureWord } from "../../app/contract/codes.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { type ToolContext, ToolFailure } from "../../app/execution/ports.ts";
import type { InfoJob, LinesJob, ListJob, ReadJob, SearchJob } from "./files/file-jobs.ts";
import type { FileService } from "./files/file-service.ts";
import { getFileInfoTool } from "./get-file-info.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { readFileTool } from "./read-file.ts";
import { searchFilesTool } from "./search-files.ts";
import { failureOf, holding, rootAt, toolContext } from "./testing/tool-context.ts";

const contextWith = (...paths: string[]): ToolContext =>
  toolContext({ roots: paths.map((path) => rootAt(path)) });

type AnyJob =
  | Omit<ReadJob | ListJob | LinesJob | InfoJob, "kind">
  | Omit<SearchJob, "kind" | "stop" | "walked">;

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

interface Spy {
  readonly files: FileService;
  readonly jobs: AnyJob[];
}

function spy(failure?: ToolFailureWord): Spy {
  const jobs: Spy["jobs"] = [];
  const note = (job: AnyJob): void => {
    jobs.push(job);
    if (failure !== undefined) throw new ToolFailure(failure);
  };
  const files: FileService = {
    ownData: [],
    homeTrash: "/nowhere",
    change: () => Promise.reject(new ToolFailure("internal_error")),
    preview: () => Promise.reject(new ToolFailure("internal_error")),
    async readSlice(job) {
      note(job);
      return SLICE;
    },
    async list(job) {
      note(job);
      return PAGE;
    },
    async readLines(job) {
      note(job);
      return { ...SLICE, line_start: job.line_start, lines: 1 };
    },
    async info(job) {
      note(job);
      return INFO;
    },
    async search(job, _signal, report) {
      note(job);
      report?.(7);
      return { ...NOTHING, matches: [{ path: "n" }] };
    },
    close: async () => undefined,
  };
  return { files, jobs };
}

const every = (files: FileService) =>
  [readFileTool, listDirectoryTool, getFileInfoTool, searchFilesTool].map((make) =>
    make(files, "posix"),
  );

it("wants a root when there is none: the parent of a file, a folder itself", () => {
  const { files } = spy();
  const wanted = { kind: "root_wanted", suggested_path: "/home/me", access: "read" };
  const read = readFileTool(files, "posix").preflight({ path: "/home/me/f.txt" }, holding());
  expect(read).toEqual(wanted);
  const list = listDirectoryTool(files, "posix").preflight({ path: "/home/me" }, holding());
  expect(list).toEqual(wanted);
  const windows = readFileTool(files, "win32").preflight({ path: "c:/Users/f.txt" }, holding());
  expect(windows).toMatchObject({ suggested_path: "C:\\Users" });
});

it.each([["/f.txt"], ["/proc/self/environ"], ["/dev/sda"], ["/sys/x/y"]])(
  "does not ask for a folder that could never be chosen: %s",
  (path) => {
    const preflight = readFileTool(spy().files, "posix").preflight({ path }, holding());
    expect(preflight).toEqual({ kind: "refuse", word: "outside_roots" });
  },
);

it("refuses what no root contains, and what is no path, in preflight already", () => {
  const { files, jobs } = spy();
  const roots = holding("/a/root");
  for (const tool of every(files)) {
    expect(tool.preflight({ path: "/a/root/x" }, roots)).toBeNull();
    expect(tool.preflight({ path: "/a/root-evil/x" }, roots)).toEqual({
      kind: "refuse",
      word: "outside_roots",
    });
    for (const path of ["x", "/a/root/../b", "/a/root/\0"]) {
      for (const some of [roots, holding()]) {
        expect(tool.preflight({ path }, some)).toEqual({ kind: "refuse", word: "invalid_path" });
      }
    }
    expect(tool.available()).toBe(true);
  }
  expect(jobs).toEqual([]);
});

it("runs in the innermost root that contains the path", async () => {
  const { files, jobs } = spy();
  const context = contextWith("/a", "/a/b/c", "/a/b", "/z");
  const path = "/a/b/c/f";
  await readFileTool(files, "posix").run({ path }, context);
  await readFileTool(files, "posix").run(
    { path, offset: 3, length: 4, encoding: "base64" },
    context,
  );
  await listDirectoryTool(files, "posix").run({ path: "/a/b" }, context);
  expect(jobs).toEqual([
    { rootPath: "/a/b/c", path, offset: 0, encoding: "utf-8" },
    { rootPath: "/a/b/c", path, offset: 3, length: 4, encoding: "base64" },
    { rootPath: "/a/b", path: "/a/b" },
  ]);
});

it("gives back what the file service found", async () => {
  const { files } = spy();
  const context = contextWith("/r");
  expect(await readFileTool(files, "posix").run({ path: "/r/f" }, context)).toEqual(SLICE);
  expect(await listDirectoryTool(files, "posix").run({ path: "/r" }, context)).toEqual(PAGE);
});

it("touches nothing when its roots have gone since the preflight", async () => {
  const { files, jobs } = spy();
  for (const tool of every(files)) {
    const run = tool.run({ path: "/r/f" }, contextWith("/other"));
    await expect(run).rejects.toMatchObject({ word: "outside_roots" });
  }
  expect(jobs).toEqual([]);
});

it.each<ToolFailureWord>(["not_found", "too_large", "not_text", "cancelled"])(
  "passes %s on",
  async (word) => {
    const { files } = spy(word);
    const context = contextWith("/r");
    for (const make of [readFileTool, listDirectoryTool]) {
      expect(await failureOf(make(files, "posix").run({ path: "/r/f" }, context))).toBe(word);
    }
  },
);

it("asks for lines when either of their numbers is given, from the first unless said", async () => {
  const { files, jobs } = spy();
  const read = (args: JsonObject) => readFileTool(files, "posix").run(args, contextWith("/r"));
  const path = "/r/f";
  expect(await read({ path, line_start: 3 })).toMatchObject({ line_start: 3, lines: 1 });
  await read({ path, line_count: 2 });
  await read({ path, line_start: 4, line_count: 5, encoding: "utf-8" });
  expect(jobs).toMatchObject([
    { rootPath: "/r", path, line_start: 3 },
    { rootPath: "/r", path, line_start: 1, line_count: 2 },
    { rootPath: "/r", path, line_start: 4, line_count: 5 },
  ]);
});

it("searches with what was asked, and with the defaults of the schema", async () => {
  const { files, jobs } = spy();
  const search = (args: JsonObject) => searchFilesTool(files, "posix").run(args, contextWith("/r"));
  const defaults = { case_sensitive: true, include_hidden: false, max_results: 1000 };
  const asked = {
    case_sensitive: false,
    include_hidden: true,
    max_results: 3,
    glob: "*",
    text: "t",
  };
  expect(await search({ path: "/r" })).toEqual({ ...NOTHING, matches: [{ path: "n" }] });
  await search({ path: "/r/a", ...asked });
  expect(jobs).toEqual([
    { rootPath: "/r", path: "/r", ...defaults },
    { rootPath: "/r", path: "/r/a", ...asked },
  ]);
});

it("tells how many entries a search has walked; nobody knows how many there are", async () => {
  const told: unknown[] = [];
  const context = { ...contextWith("/r"), progress: (report: unknown) => told.push(report) };
  await searchFilesTool(spy().files, "posix").run({ path: "/r" }, context);
  expect(told).toEqual([{ done: 7, total: null, unit: "entries" }]);
});

it("passes pages and details on", async () => {
  const { files, jobs } = spy();
  const page = { path: "/r", after: "m", limit: 7 };
  await listDirectoryTool(files, "posix").run(page, contextWith("/r"));
  const info = getFileInfoTool(files, "posix").run({ path: "/r/f" }, contextWith("/r"));
  expect(await info).toEqual(INFO);
  expect(jobs).toEqual([
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
