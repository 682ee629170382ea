import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { callTarget } from "../../../app/contract/target/call-target.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { highManifest } from "../testing/test-manifest.ts";

const TOOLS = ["write_file", "edit_file", "create_directory", "move_file", "delete_file"];

const MANIFEST = highManifest(Object.fromEntries(TOOLS.map((name) => [name, "filesystem:write"])));

describe("an agent that changes files", () => {
  connectForEachTest({ added: [["filesystem:write"], "Writer", MANIFEST] });
  let folder: string;
  beforeEach(() => {
    folder = scratchFolder();
  });

  const note = (): string => join(folder, "note.txt");

  it("has the difference shown and the folder given first, then writes what was shown", async () => {
    writeFileSync(note(), "one\ntwo\n");
    const written = agent.call("write_file", { path: note(), content: "one\n2\n" });
    expect(await client.waitingCard()).toMatchObject({
      sensitivity: "high",
      root_wanted: { suggested_path: folder, access: "read_write" },
      preview: {
        kind: "text_change",
        change: "replace",
        hunks: [
          {
            lines: [
              { kind: "same", text: "one" },
              { kind: "removed", text: "two" },
              { kind: "added", text: "2" },
            ],
          },
        ],
      },
    });
    expect(readFileSync(note(), "utf8")).toBe("one\ntwo\n");
    await client.answer("allow_once", folder);
    expect(await written).toMatchObject({ result: { created: false, bytes_written: 6 } });
    expect(readFileSync(note(), "utf8")).toBe("one\n2\n");
  });

  it("has its calls called what their cards said, also once they are over", async () => {
    const written = agent.call("write_file", { path: note(), content: "one\n" });
    const shown = callTarget(await client.waitingCard());
    expect(shown.kind).toBe("create");
    await client.answer("allow_once", folder);
    await written;
    const [row] = (await client.call("activity.page", { limit: 1 })).rows;
    expect(row?.target).toEqual(shown);
  });

  it("is refused when the file changes while the person looks at it", async () => {
    writeFileSync(note(), "one\n");
    const edits = [{ old_text: "one", new_text: "two" }];
    const edited = agent.call("edit_file", { path: note(), edits });
    await client.waitingCard();
    writeFileSync(note(), "one, but not the one\n");
    await client.answer("allow_once", folder);
    expect(await edited).toEqual({ refused: "changed_since_shown" });
    expect(readFileSync(note(), "utf8")).toBe("one, but not the one\n");
    expect(readdirSync(folder)).toEqual(["note.txt"]);
  });

  it("asks nobody for what cannot be done in a folder it was given", async () => {
    const called = agent.call("create_directory", { path: join(folder, "made") });
    await client.answer("allow_once", folder);
    expect(await called).toEqual({ result: { created: true } });
    const edits = [{ old_text: "one", new_text: "two" }];
    expect(await agent.call("edit_file", { path: note(), edits })).toEqual({
      refused: "not_found",
    });
    expect(await agent.call("delete_file", { path: folder })).toEqual({ refused: "is_a_root" });
    const ends = { from: join(folder, "made"), to: join(folder, "made", "in") };
    expect(await agent.call("move_file", ends)).toEqual({ refused: "invalid_path" });
    const elsewhere = { path: join(folder, "..", "x"), content: "" };
    expect(await agent.call("write_file", elsewhere)).toEqual({ refused: "outside_roots" });
    expect((await client.snapshot()).consents).toEqual([]);
  });

  it("never reaches the client's own data, not even in a folder around it", async () => {
    const data = realpathSync(client.dataDir);
    const around = join(data, "..");
    mkdirSync(join(around, "beside"));
    const called = agent.call("create_directory", { path: join(around, "other") });
    await client.answer("allow_once", around);
    expect(await called).toEqual({ result: { created: true } });
    for (const [tool, args] of [
      ["write_file", { path: join(data, "consentry.db"), content: "" }],
      ["create_directory", { path: join(data, "x") }],
      ["delete_file", { path: data }],
      ["move_file", { from: data, to: join(around, "moved") }],
      ["move_file", { from: join(around, "beside"), to: join(data, "beside") }],
    ] as const) {
      expect(await agent.call(tool, args)).toEqual({ refused: "outside_roots" });
    }
    expect((await client.snapshot()).consents).toEqual([]);
  });
});
