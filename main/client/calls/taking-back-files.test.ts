import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { TakeBackView } from "../../../app/bridge/take-back-calls.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { highManifest } from "../testing/test-manifest.ts";

const TOOLS = ["write_file", "edit_file", "create_directory", "move_file", "delete_file"];
const MANIFEST = highManifest(Object.fromEntries(TOOLS.map((name) => [name, "filesystem:write"])));

describe("what an agent changed", () => {
  connectForEachTest({ added: [["filesystem:write"], "Writer", MANIFEST] });
  let folder: string;
  beforeEach(() => {
    folder = scratchFolder();
    given = false;
  });
  let given = false;

  const at = (...names: string[]): string => join(folder, ...names);
  const text = (path: string): string => readFileSync(path, "utf8");

  /** Carried out, as the person allows it. Resolves to its call. */
  async function does(tool: string, args: JsonObject) {
    const called = agent.call(tool, args);
    await client.answer("allow_once", given ? undefined : folder);
    given = true;
    expect(await called).toHaveProperty("result");
    const [row] = await client.log();
    if (row === undefined) throw new Error("no line");
    return { agent_id: row.agent_id, call_id: row.call_id };
  }

  type Call = Awaited<ReturnType<typeof does>>;
  const look = (call: Call, later = false) => client.call("changes.look", { ...call, later });

  async function seen(call: Call, later = false): Promise<TakeBackView> {
    const view = await look(call, later);
    if (view === null) throw new Error("nothing is kept");
    return view;
  }

  async function takeBack(call: Call, more: { later?: boolean; despite?: boolean } = {}) {
    const { later = false, despite = false } = more;
    const view = await seen(call, later);
    return client.call("changes.take_back", { ...call, later, despite, seen: view.seen });
  }

  const write = (path: string, content: string) => does("write_file", { path, content });

  it("is shown as the difference to now and comes back, as an act of the person's", async () => {
    writeFileSync(at("note.txt"), "one\n");
    const call = await write(at("note.txt"), "two\n");
    expect(await seen(call)).toMatchObject({
      taken_back: false,
      later: 0,
      places: [
        {
          path: at("note.txt"),
          act: "restore",
          state: "ready",
          preview: {
            kind: "text_change",
            hunks: [
              {
                lines: [
                  { kind: "removed", text: "two" },
                  { kind: "added", text: "one" },
                ],
              },
            ],
          },
        },
      ],
    });
    expect(await takeBack(call)).toEqual({ left: 0 });
    expect(text(at("note.txt"))).toBe("one\n");
    expect(await look(call)).toMatchObject({ taken_back: true });
    expect((await client.log())[0]).toMatchObject({
      tool_name: "take_back",
      status: "ok",
      decided_by: "person",
      target: { kind: "take_back" },
    });
    expect(await client.call("activity.verify", {})).toMatchObject({ ok: true });
    await expect(takeBack(call)).rejects.toThrow("not_found");
  });

  it("stays where somebody has changed it since, unless the person says so", async () => {
    writeFileSync(at("note.txt"), "one\n");
    const call = await write(at("note.txt"), "two\n");
    writeFileSync(at("note.txt"), "mine\n");
    expect((await seen(call)).places).toMatchObject([{ state: "changed" }]);
    expect(await takeBack(call)).toEqual({ left: 1 });
    expect(text(at("note.txt"))).toBe("mine\n");
    expect((await client.log())[0]?.tool_name).toBe("write_file");
    expect(await takeBack(call, { despite: true })).toEqual({ left: 0 });
    expect(text(at("note.txt"))).toBe("one\n");
  });

  it("is not taken back where it changed after the person saw it", async () => {
    writeFileSync(at("note.txt"), "one\n");
    const call = await write(at("note.txt"), "two\n");
    const view = await seen(call);
    writeFileSync(at("note.txt"), "mine\n");
    const taken = client.call("changes.take_back", {
      ...{ ...call, later: false, despite: true, seen: view.seen },
    });
    await expect(taken).rejects.toThrow("changed_since_shown");
    expect(text(at("note.txt"))).toBe("mine\n");
  });

  it("goes to the trash where it was not there before, and comes back where it was deleted", async () => {
    const made = await write(at("new.txt"), "new\n");
    expect((await seen(made)).places).toMatchObject([{ act: "remove", state: "ready" }]);
    expect(await takeBack(made)).toEqual({ left: 0 });
    expect(existsSync(at("new.txt"))).toBe(false);

    writeFileSync(at("run.sh"), "#!/bin/sh\n", { mode: 0o755 });
    const deleted = await does("delete_file", { path: at("run.sh") });
    expect(existsSync(at("run.sh"))).toBe(false);
    expect(await takeBack(deleted)).toEqual({ left: 0 });
    expect(text(at("run.sh"))).toBe("#!/bin/sh\n");
    expect(statSync(at("run.sh")).mode & 0o777).toBe(0o755);
  });

  it("moves back, with what was overwritten", async () => {
    writeFileSync(at("a.txt"), "a\n");
    writeFileSync(at("b.txt"), "b\n");
    const call = await does("move_file", { from: at("a.txt"), to: at("b.txt"), overwrite: true });
    expect(text(at("b.txt"))).toBe("a\n");
    expect(await takeBack(call)).toEqual({ left: 0 });
    expect(text(at("a.txt"))).toBe("a\n");
    expect(text(at("b.txt"))).toBe("b\n");
  });

  it("goes back in one go with all later changes of the conversation, and with none of before", async () => {
    writeFileSync(at("a.txt"), "1\n");
    writeFileSync(at("before.txt"), "1\n");
    await write(at("before.txt"), "2\n");
    const first = await write(at("a.txt"), "2\n");
    await does("create_directory", { path: at("x", "y"), parents: true });
    await does("move_file", { from: at("a.txt"), to: at("x", "a.txt") });
    await write(at("x", "a.txt"), "3\n");
    await write(at("x", "y", "new.txt"), "new\n");
    const view = await seen(first, true);
    expect(view.later).toBe(4);
    expect(view.places.map(({ act, state }) => [act, state])).toEqual([
      ["remove", "ready"],
      ["restore", "ready"],
      ["move_back", "ready"],
      ["remove", "ready"],
      ["remove", "ready"],
      ["restore", "ready"],
    ]);
    // The difference is to what is now where the file was moved to.
    expect(view.places.at(-1)?.preview).toMatchObject({
      hunks: [{ lines: [{ text: "3" }, { text: "1" }] }],
    });
    expect(await takeBack(first, { later: true })).toEqual({ left: 0 });
    expect(text(at("a.txt"))).toBe("1\n");
    expect(existsSync(at("x"))).toBe(false);
    expect(text(at("before.txt"))).toBe("2\n");
  });

  it("a folder in which the person has put something stays", async () => {
    const call = await does("create_directory", { path: at("made") });
    writeFileSync(at("made", "mine.txt"), "mine\n");
    expect(await takeBack(call)).toEqual({ left: 1 });
    expect(text(at("made", "mine.txt"))).toBe("mine\n");
  });

  it("is never written through a link, whatever took its place or its folder's", async () => {
    mkdirSync(at("sub"));
    const secret = join(scratchFolder(), "note.txt");
    writeFileSync(secret, "secret\n");
    writeFileSync(at("sub", "note.txt"), "one\n");
    const call = await write(at("sub", "note.txt"), "two\n");
    renameSync(at("sub", "note.txt"), at("sub", "other.txt"));
    symlinkSync(secret, at("sub", "note.txt"));
    expect((await seen(call)).places).toMatchObject([{ state: "lost" }]);
    expect(await takeBack(call, { despite: true })).toEqual({ left: 1 });
    renameSync(at("sub"), at("moved"));
    symlinkSync(join(secret, ".."), at("sub"));
    expect(await takeBack(call, { despite: true })).toEqual({ left: 1 });
    expect(text(secret)).toBe("secret\n");
  });

  it("keeps a file's other names together", async () => {
    writeFileSync(at("note.txt"), "one\n");
    linkSync(at("note.txt"), at("other.txt"));
    const edits = [{ old_text: "one", new_text: "two" }];
    const call = await does("edit_file", { path: at("note.txt"), edits });
    expect(text(at("other.txt"))).toBe("two\n");
    expect(await takeBack(call)).toEqual({ left: 0 });
    expect(text(at("other.txt"))).toBe("one\n");
  });

  it("is not kept when the person has turned that off, which deletes what was", async () => {
    writeFileSync(at("note.txt"), "one\n");
    const before = await write(at("note.txt"), "two\n");
    const { settings } = await client.snapshot();
    await client.call("settings.set", { ...settings, keep_files: false });
    expect(await look(before)).toBeNull();
    expect(await look(await write(at("note.txt"), "three\n"))).toBeNull();
  });

  it("what failed has nothing to take back", async () => {
    writeFileSync(at("note.txt"), "one\n");
    await write(at("note.txt"), "two\n");
    const failed = agent.call("write_file", { path: at("note.txt"), content: "three\n" });
    await client.waitingCard();
    writeFileSync(at("note.txt"), "mine\n");
    await client.answer("allow_once");
    expect(await failed).toEqual({ refused: "changed_since_shown" });
    const [row] = await client.log();
    const { agent_id = "", call_id = "" } = row ?? {};
    expect(await look({ agent_id, call_id })).toBeNull();
  });

  it("is there after a restart, and unreadable in the file", async () => {
    writeFileSync(at("note.txt"), "the text that was\n");
    const call = await write(at("note.txt"), "two\n");
    const raw = client.inDatabase((db) =>
      JSON.stringify([
        db.prepare("SELECT * FROM kept_changes").all(),
        db.prepare("SELECT * FROM kept_contents").all(),
      ]),
    );
    expect(raw).not.toContain("note.txt");
    await client.restart();
    expect(await takeBack(call)).toEqual({ left: 0 });
    expect(text(at("note.txt"))).toBe("the text that was\n");
  });
});
