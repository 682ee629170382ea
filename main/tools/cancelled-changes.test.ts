import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import { PROGRAMS } from "../testing/built-programs.ts";
import { createDirectoryTool } from "./create-directory.ts";
import { deleteFileTool } from "./delete-file.ts";
import { editFileTool } from "./edit-file.ts";
import { FILE_TOOLS } from "./file-tools.ts";
import { createFileService } from "./files/file-service.ts";
import type { FileTool } from "./files/file-tool.ts";
import { FileHarness } from "./files/testing/file-harness.ts";
import { moveFileTool } from "./move-file.ts";
import { CALLS, cancelMany, expectCancelled, expectHeld, held } from "./testing/cancel-many.ts";
import { rootAt } from "./testing/tool-context.ts";
import { writeFileTool } from "./write-file.ts";

const harness = FileHarness.forEachTest();

beforeEach(async () => {
  // Node's own threads are there before anything is counted.
  await Promise.all(Array.from({ length: 32 }, () => stat(harness.root)));
});

/** A file for each call, in folders of a hundred. */
const place = (nth: number): string => harness.inside("each", `${Math.floor(nth / 100)}`, `${nth}`);

function fill(): void {
  for (let nth = 0; nth < CALLS; nth += 1) {
    if (nth % 100 === 0) mkdirSync(join(place(nth), ".."), { recursive: true });
    writeFileSync(place(nth), "old");
  }
}

const every = Array.from({ length: CALLS }, (_, nth) => nth);
const namesBelow = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: "utf8" });

interface Changing {
  readonly name: string;
  readonly tool: FileTool;
  readonly args: (nth: number) => JsonObject;
  /** What must be true of the files after all calls. */
  readonly whole: () => void;
}

const TEXTS = ["old", "new, and longer"];

/** Each file has its old or its new content, some have the new one, and nothing is left over. */
function oldOrNew(): void {
  const texts = every.map((nth) => readFileSync(place(nth), "utf8"));
  expect([...new Set(texts)].toSorted()).toEqual(TEXTS.toSorted());
  expect(namesBelow(harness.inside("each"))).toHaveLength(CALLS + CALLS / 100);
}

/** Each file is in one of its two places, and both places occur. */
function hereOrThere(there: (nth: number) => string): void {
  const here = every.filter((nth) => existsSync(place(nth)));
  const gone = every.filter((nth) => existsSync(there(nth)));
  expect([...here, ...gone].toSorted((one, other) => one - other)).toEqual(every);
  expect(Math.min(here.length, gone.length)).toBeGreaterThan(0);
}

const trash = (): string => harness.beside("Trash");

const CHANGES: readonly Changing[] = [
  {
    name: "write_file",
    tool: writeFileTool,
    args: (nth) => ({ path: place(nth), content: TEXTS[1] ?? "" }),
    whole: oldOrNew,
  },
  {
    name: "edit_file",
    tool: editFileTool,
    args: (nth) => ({ path: place(nth), edits: [{ old_text: "old", new_text: TEXTS[1] ?? "" }] }),
    whole: oldOrNew,
  },
  {
    name: "create_directory",
    tool: createDirectoryTool,
    args: (nth) => ({ path: join(`${place(nth)}-`, "sub"), parents: true }),
    whole: () => expect(every.some((nth) => existsSync(join(`${place(nth)}-`, "sub")))).toBe(true),
  },
  {
    name: "move_file",
    tool: moveFileTool,
    args: (nth) => ({ from: place(nth), to: `${place(nth)}-moved` }),
    whole: () => hereOrThere((nth) => `${place(nth)}-moved`),
  },
  {
    name: "delete_file",
    tool: deleteFileTool,
    args: (nth) => ({ path: place(nth) }),
    whole: () => {
      hereOrThere((nth) => join(trash(), "files", `${nth}`));
      const records = namesBelow(join(trash(), "info"));
      expect(records.map((name) => name.replace(".trashinfo", "")).toSorted()).toEqual(
        namesBelow(join(trash(), "files")).toSorted(),
      );
    },
  },
];

describe("changes cancelled ten thousand times are made or not made, and nothing is left over", () => {
  it.for(CHANGES)("$name", { timeout: 240_000 }, async ({ tool: { on }, args, whole }, ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs /proc");
    fill();
    const before = held();
    const files = createFileService({
      workerUrl: PROGRAMS.fileWorker,
      homeTrash: trash(),
    });
    const given = { roots: [rootAt(harness.root, "read_write")] };
    const tool = on(files, "posix");
    expectCancelled(await cancelMany({ tool, args: (_, nth) => args(nth), given }));
    await files.close();
    await expectHeld(before);
    whole();
  });

  it("no tool that changes files is missing here", () => {
    const changing = Object.values(FILE_TOOLS).filter(({ lane }) => lane === "change");
    expect(CHANGES.map(({ name }) => name)).toEqual(changing.map(({ name }) => name));
  });
});
