import { linkSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../../../app/contract/json.ts";
import type { Tool } from "../../../../app/execution/ports.ts";
import { PROGRAMS } from "../../../testing/built-programs.ts";
import { getFileInfoTool } from "../../get-file-info.ts";
import { listDirectoryTool } from "../../list-directory.ts";
import { readFileTool } from "../../read-file.ts";
import { searchFilesTool } from "../../search-files.ts";
import { holding, rootAt, toolContext } from "../../testing/tool-context.ts";
import { createFileService } from "../file-service.ts";
import type { FileService } from "../file-tool.ts";
import {
  compareToAnything,
  compareToDirectory,
  compareToFile,
} from "../opening/open-by-comparison.ts";
import { TreeByComparison } from "../opening/tree.ts";
import { FileHarness, wordOf } from "../testing/file-harness.ts";
import { largeInodes } from "../testing/large-inodes.ts";
import { keepOutOf, ownFolderAt } from "./own-data.ts";
import { pathPlatform } from "./path-rules.ts";

const PLATFORM = pathPlatform(process.platform);

const harness = FileHarness.forEachTest();
let files: FileService;

beforeEach(() => {
  mkdirSync(harness.inside("config", "own", "deep"), { recursive: true });
  mkdirSync(harness.inside("config", "own", "programs", "model"), { recursive: true });
  writeFileSync(harness.inside("config", "own", "log.db"), "SECRET");
  writeFileSync(harness.inside("config", "own", "deep", "more.txt"), "SECRET");
  writeFileSync(harness.inside("config", "own", "programs", "model", "agent.json"), "SECRET");
  writeFileSync(harness.inside("config", "other.txt"), "theirs");
  files = createFileService({
    workerUrl: PROGRAMS.fileWorker,
    ownData: [harness.inside("config", "own")],
  });
});

afterEach(async () => {
  await files.close();
  keepOutOf([]);
});

const run = (tool: Tool, args: JsonObject) =>
  tool
    .run(args, toolContext({ roots: [rootAt(harness.root)] }))
    .catch((error: { readonly code?: unknown }) => error.code);

const tools = () =>
  [readFileTool, listDirectoryTool, getFileInfoTool].map((tool) => tool.on(files, PLATFORM));

it.each([["config/own"], ["config/own/log.db"], ["config/own/deep/more.txt"]])(
  "refuses %s before anybody is asked, and again when it runs, although a root holds it",
  async (place) => {
    const path = harness.inside(...place.split("/"));
    for (const tool of tools()) {
      const refused = { kind: "refuse", word: "outside_roots" };
      expect(tool.preflight({ path }, holding(harness.root))).toEqual(refused);
      expect(tool.preflight({ path }, holding())).toEqual(refused);
      expect(await run(tool, { path })).toBe("outside_roots");
    }
  },
);

it("leaves what is beside it alone", async () => {
  const path = harness.inside("config", "other.txt");
  expect(await run(readFileTool.on(files, PLATFORM), { path })).toMatchObject({
    content: "theirs",
  });
});

it("searches around it", async () => {
  const search = searchFilesTool.on(files, PLATFORM);
  expect(await run(search, { path: harness.root, text: "SECRET" })).toMatchObject({
    matches: [],
    unreadable_skipped: 1,
  });
  expect(await run(search, { path: harness.inside("config", "own"), glob: "**" })).toBe(
    "outside_roots",
  );
});

it.each([["log.db"], ["programs/model/agent.json"]])(
  "shows nothing of %s under another name, on no page and in no search",
  async (file) => {
    const path = harness.inside("config");
    linkSync(join(path, "own", file), join(path, "m-link.db"));
    const [read, list, info] = tools() as [Tool, Tool, Tool];
    const entries = [{ name: "other.txt" }, { name: "own" }];
    expect(await run(list, { path })).toMatchObject({ entries });
    expect(await run(list, { path, limit: 1 })).toMatchObject({
      entries: [{ name: "other.txt" }],
      next_after: "other.txt",
    });
    for (const tool of [read, info]) {
      expect(await run(tool, { path: join(path, "m-link.db") })).toBe("outside_roots");
    }
    const search = searchFilesTool.on(files, PLATFORM);
    expect(await run(search, { path, glob: "*.{db,txt}" })).toMatchObject({
      matches: [{ path: "other.txt" }],
    });
  },
);

it.runIf(process.platform === "linux")(
  "knows it again when a folder above it has got another name",
  async () => {
    renameSync(harness.inside("config"), harness.inside("renamed"));
    const [read, list, info] = tools() as [Tool, Tool, Tool];
    const own = harness.inside("renamed", "own");
    expect(await run(read, { path: harness.inside("renamed", "own", "log.db") })).toBe(
      "outside_roots",
    );
    expect(await run(list, { path: own })).toBe("outside_roots");
    expect(await run(info, { path: own })).toBe("outside_roots");
    // Our files can no longer be told from others, so none that has a second name is shown.
    linkSync(harness.inside("renamed", "own", "log.db"), harness.inside("renamed", "link.db"));
    expect(await run(list, { path: harness.inside("renamed") })).toMatchObject({
      entries: [{ name: "other.txt" }, { name: "own" }],
    });
    const search = searchFilesTool.on(files, PLATFORM);
    expect(await run(search, { path: harness.root, text: "SECRET" })).toMatchObject({
      matches: [],
    });
  },
);

it("is no tool's where every step is compared either", () => {
  keepOutOf([ownFolderAt(harness.inside("config", "own"))]);
  const words = [compareToFile, compareToDirectory, compareToAnything].map((open) => {
    try {
      open(harness.root, ["config", "own"], () => "opened");
      return "opened";
    } catch (error) {
      return (error as { readonly code?: unknown }).code;
    }
  });
  expect(words).toEqual(["outside_roots", "outside_roots", "outside_roots"]);
});

it("is recognized where inode numbers are larger than a number can hold exactly", () => {
  linkSync(harness.inside("config", "own", "log.db"), harness.inside("config", "link.db"));
  onTestFinished(largeInodes());
  keepOutOf([ownFolderAt(harness.inside("config", "own"))]);
  expect(harness.search({ text: "SECRET" })).toMatchObject({ matches: [] });
  expect(harness.search({ text: "theirs" })).toMatchObject({
    matches: [{ path: "config/other.txt" }],
  });
  expect(harness.readWord(harness.inside("config", "link.db"))).toBe("outside_roots");
  const tree = new TreeByComparison(harness.root, ["config"]);
  expect(wordOf(() => tree.enter("own"))).toBe("outside_roots");
});
