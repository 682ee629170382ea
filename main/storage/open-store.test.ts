import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, call, intent, ScratchStore } from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();

const modeOf = (path: string) => statSync(path).mode & 0o777;

/** As after a crash: without the mark of a clean close. */
const markUnclean = () => scratch.sql("UPDATE store_state SET clean = 0");

function openError(): unknown {
  try {
    scratch.open().store.close();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.skipIf(process.platform === "win32")("file modes", () => {
  it("creates a folder and files that only their owner can open", async () => {
    const { store } = scratch.open();
    await store.ledger.recordIntent(intent(call("call-1")));
    expect(modeOf(scratch.dataDir)).toBe(0o700);
    for (const name of ["consentry.db", "consentry.db-wal", "consentry.db-shm"]) {
      expect([name, modeOf(join(scratch.dataDir, name))]).toEqual([name, 0o600]);
    }
  });

  it("restricts a folder that others could open", () => {
    mkdirSync(scratch.dataDir, { mode: 0o755 });
    scratch.open().store.close();
    expect(modeOf(scratch.dataDir)).toBe(0o700);
  });
});

describe("a folder or file that cannot be written", () => {
  it("is named when a file stands in the folder's place", () => {
    writeFileSync(scratch.dataDir, "");
    expect(openError()).toMatchObject({ code: "own_folder_kind" });
  });

  it.runIf(process.platform === "linux")("is store_unwritable where nothing can be made", () => {
    expect(() => scratch.open({ dataDir: "/proc/consentry" })).toThrow(
      expect.objectContaining({ code: "store_unwritable" }),
    );
  });

  it("is named when the database is a folder", () => {
    mkdirSync(scratch.file, { recursive: true });
    expect(openError()).toMatchObject({ code: "own_file_kind" });
    expect(readdirSync(scratch.dataDir)).toEqual(["consentry.db"]);
  });
});

describe("a damaged database", () => {
  it("is set aside whole when it is not a database, and a new one is created", () => {
    mkdirSync(scratch.dataDir);
    writeFileSync(scratch.file, "this is not a database ".repeat(500));
    writeFileSync(`${scratch.file}-wal`, "its log");
    const { store, setAside } = scratch.open();
    expect(setAside).toBe(`${scratch.file}.damaged-20260101T000000Z`);
    expect(readFileSync(String(setAside), "utf8")).toContain("this is not a database");
    expect(readFileSync(`${setAside}-wal`, "utf8")).toBe("its log");
    expect(store.agents.list()).toEqual([]);
  });

  it("is found after an unclean end and keeps every byte", async () => {
    const first = scratch.open();
    await first.store.agents.accept(agent());
    first.store.close();
    markUnclean();
    const bytes = readFileSync(scratch.file);
    bytes.fill(0xff, 4096 * 3, 4096 * 4);
    writeFileSync(scratch.file, bytes);
    const { setAside } = scratch.open();
    expect(readFileSync(String(setAside))).toEqual(bytes);
  });

  it("does not replace one that was set aside in the same second", () => {
    for (const content of ["first ".repeat(300), "second ".repeat(300)]) {
      mkdirSync(scratch.dataDir, { recursive: true });
      writeFileSync(scratch.file, content);
      scratch.open().store.close();
    }
    const damaged = `${scratch.file}.damaged-20260101T000000Z`;
    expect(readFileSync(damaged, "utf8")).toContain("first");
    expect(readFileSync(`${damaged}-2`, "utf8")).toContain("second");
  });

  it("is not suspected after a clean close or a mere crash", () => {
    scratch.open().store.close();
    expect(scratch.open().setAside).toBeNull();
    markUnclean();
    expect(scratch.open().setAside).toBeNull();
  });
});

describe("opening and closing", () => {
  it.each([99, 34, 1])("refuses a file of version %i and leaves it alone", (version) => {
    scratch.open().store.close();
    scratch.sql(`CREATE TABLE of_that_version (id INTEGER); PRAGMA user_version = ${version}`);
    const before = readFileSync(scratch.file);
    const message = "consentry.db was written by another version. Start that version.";
    expect(openError()).toMatchObject({ code: "store_other_version", message });
    expect(readFileSync(scratch.file)).toEqual(before);
  });

  it.each([99, 34])("counts version %i with its own tables as damage", (version) => {
    scratch.open().store.close();
    scratch.sql(`PRAGMA user_version = ${version}`);
    const { setAside } = scratch.open();
    expect(existsSync(setAside ?? "")).toBe(true);
  });

  it("leaves one file when closed, and refuses writes afterwards", async () => {
    const { store } = scratch.open();
    await store.agents.accept(agent());
    store.close();
    store.close();
    expect(readdirSync(scratch.dataDir)).toEqual(["consentry.db"]);
    await expect(store.tick()).rejects.toMatchObject({ code: "store_closed" });
  });

  it("stores what was still waiting when it was closed", async () => {
    const { store } = scratch.open();
    const stored = store.agents.accept(agent());
    store.close();
    await stored;
    const again = scratch.open();
    expect(again.store.agents.agent("agent-1")).toBeDefined();
  });
});
