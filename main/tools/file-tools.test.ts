import { expect, it } from "vitest";
import type { ToolFailureWord } from "../../app/contract/codes.ts";
import { type ToolContext, ToolFailure } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import type { ListJob, ReadJob } from "./file-jobs.ts";
import type { FileService } from "./file-service.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { readFileTool } from "./read-file.ts";

const rootAt = (path: string): Root => ({ root_id: path, path, access: "read", added_at: 0 });

const contextWith = (...paths: string[]): ToolContext => ({
  agent_id: "a",
  agent_name: "Agent",
  conversation_id: "c",
  roots: paths.map(rootAt),
  signal: new AbortController().signal,
});

interface Spy {
  readonly files: FileService;
  readonly jobs: Omit<ReadJob | ListJob, "kind">[];
}

function spy(failure?: ToolFailureWord): Spy {
  const jobs: Spy["jobs"] = [];
  const note = (job: Omit<ReadJob | ListJob, "kind">): void => {
    jobs.push(job);
    if (failure !== undefined) throw new ToolFailure(failure);
  };
  const files: FileService = {
    async readSlice(job) {
      note(job);
      const { offset, encoding } = job;
      return { content: "x", encoding, offset, length: 1, size_bytes: 1, end_of_file: true };
    },
    async list(job) {
      note(job);
      return { entries: [{ name: "n", type: "file" }] };
    },
    close: async () => undefined,
  };
  return { files, jobs };
}

it("wants a root when there is none: the parent of a file, a folder itself", () => {
  const { files } = spy();
  expect(readFileTool(files, "posix").preflight({ path: "/home/me/f.txt" }, [])).toEqual({
    kind: "root_wanted",
    suggested_path: "/home/me",
    access: "read",
  });
  expect(listDirectoryTool(files, "posix").preflight({ path: "/home/me" }, [])).toEqual({
    kind: "root_wanted",
    suggested_path: "/home/me",
    access: "read",
  });
  expect(readFileTool(files, "win32").preflight({ path: "c:/Users/f.txt" }, [])).toMatchObject({
    suggested_path: "C:\\Users",
  });
});

it.each([["/f.txt"], ["/proc/self/environ"], ["/dev/sda"], ["/sys/x/y"]])(
  "does not ask for a folder that could never be chosen: %s",
  (path) => {
    const preflight = readFileTool(spy().files, "posix").preflight({ path }, []);
    expect(preflight).toEqual({ kind: "refuse", word: "outside_roots" });
  },
);

it("refuses what no root contains, and what is no path, in preflight already", () => {
  const { files, jobs } = spy();
  const roots = [rootAt("/a/root")];
  for (const tool of [readFileTool(files, "posix"), listDirectoryTool(files, "posix")]) {
    expect(tool.preflight({ path: "/a/root/x" }, roots)).toBeNull();
    expect(tool.preflight({ path: "/a/root-evil/x" }, roots)).toEqual({
      kind: "refuse",
      word: "outside_roots",
    });
    for (const path of ["x", "/a/root/../b", "/a/root/\0"]) {
      for (const some of [roots, []]) {
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
  expect(await readFileTool(files, "posix").run({ path: "/r/f" }, contextWith("/r"))).toEqual({
    content: "x",
    encoding: "utf-8",
    offset: 0,
    length: 1,
    size_bytes: 1,
    end_of_file: true,
  });
  expect(await listDirectoryTool(files, "posix").run({ path: "/r" }, contextWith("/r"))).toEqual({
    entries: [{ name: "n", type: "file" }],
  });
});

it("touches nothing when its roots have gone since the preflight", async () => {
  const { files, jobs } = spy();
  for (const tool of [readFileTool(files, "posix"), listDirectoryTool(files, "posix")]) {
    const run = tool.run({ path: "/r/f" }, contextWith("/other"));
    await expect(run).rejects.toMatchObject({ word: "outside_roots" });
  }
  expect(jobs).toEqual([]);
});

it.each<[ToolFailureWord]>([["not_found"], ["too_large"], ["not_text"], ["cancelled"]])(
  "passes %s on",
  async (word) => {
    const { files } = spy(word);
    const context = contextWith("/r");
    await expect(readFileTool(files, "posix").run({ path: "/r/f" }, context)).rejects.toMatchObject(
      {
        word,
      },
    );
    await expect(
      listDirectoryTool(files, "posix").run({ path: "/r" }, context),
    ).rejects.toMatchObject({ word });
  },
);
