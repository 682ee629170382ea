import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { type PreviousPackage, previousPackage, type Relaunch } from "./previous-package.ts";
import { startGuard } from "./start-guard.ts";

/** A program in one file, with a data folder; each `start` is one of this version. */
class Installed {
  readonly base = scratchFolder();
  readonly file = join(this.base, "Consentry.AppImage");
  readonly dataDir = join(this.base, "data");
  readonly relaunched: Relaunch[] = [];

  constructor() {
    mkdirSync(this.dataDir);
    this.database(1, "before");
    this.install("1.0.0");
  }

  get previous(): PreviousPackage {
    const found = previousPackage("appimage", this.file, this.#folder);
    if (found === null) throw new Error("an AppImage can be put back");
    return found;
  }

  get #folder(): string {
    return join(this.dataDir, "updates");
  }

  install(version: string): void {
    writeFileSync(this.file, version);
  }

  get version(): string {
    return readFileSync(this.file, "utf8");
  }

  start() {
    const { dataDir, version, previous } = this;
    const relaunch = (wanted: Relaunch) => void this.relaunched.push(wanted);
    return startGuard({ dataDir, folder: this.#folder, version, previous, relaunch });
  }

  /** One that runs. */
  good(): void {
    const guard = this.start();
    expect(guard.begin()).toBe(true);
    guard.ready();
  }

  /** What a version makes of the database, or says in it. */
  database(schema: number, word: string): void {
    const db = new SqliteDatabase(join(this.dataDir, "consentry.db"));
    db.pragma(`user_version = ${schema}`);
    db.exec("CREATE TABLE IF NOT EXISTS words (word TEXT)");
    db.prepare("INSERT INTO words VALUES (?)").run(word);
    db.close();
  }

  words(): unknown[] {
    const db = new SqliteDatabase(join(this.dataDir, "consentry.db"));
    const words = db.prepare("SELECT word FROM words").pluck().all();
    db.close();
    return words;
  }

  async update(version: string): Promise<void> {
    await this.previous.keep();
    this.install(version);
  }
}

describe("an update that does not start", () => {
  test("is given up after two starts: the version before is back, and says so once", async () => {
    const program = new Installed();
    program.good();
    await program.update("2.0.0");
    expect(program.start().begin()).toBe(true);
    expect(program.start().begin()).toBe(true);
    expect(program.start().begin()).toBe(false);
    expect(program.version).toBe("1.0.0");
    expect(program.relaunched).toEqual([{ program: program.file, args: process.argv.slice(1) }]);
    const back = program.start();
    expect(back.gaveUp).toBe("2.0.0");
    expect(back.failed()).toEqual(["2.0.0"]);
    program.good();
    expect(program.start().gaveUp).toBe(null);
  });

  test("leaves the databases as the version before can read them, if it had changed their form", async () => {
    const program = new Installed();
    program.good();
    await program.update("2.0.0");
    program.start().begin();
    program.database(2, "of 2.0.0");
    program.start().begin();
    program.start().begin();
    expect(program.words()).toEqual(["before"]);
  });

  test("keeps everything in the databases if it had not", async () => {
    const program = new Installed();
    program.good();
    await program.update("2.0.0");
    program.start().begin();
    program.database(1, "of 2.0.0");
    program.start().begin();
    program.start().begin();
    expect(program.words()).toEqual(["before", "of 2.0.0"]);
  });

  test("is one that was never ready: after one good start it stays", async () => {
    const program = new Installed();
    program.good();
    await program.update("2.0.0");
    program.good();
    for (let times = 0; times < 4; times += 1) expect(program.start().begin()).toBe(true);
    expect(existsSync(join(program.dataDir, "updates", "databases"))).toBe(false);
  });

  test("stays where the version before was not kept, and a damaged record stops nothing", async () => {
    const program = new Installed();
    program.install("2.0.0");
    for (let times = 0; times < 4; times += 1) expect(program.start().begin()).toBe(true);
    writeFileSync(join(program.dataDir, "updates", "starts.json"), "{");
    expect(program.start().begin()).toBe(true);
  });
});

test("an installation that was cut off with nothing in its place is mended", async () => {
  const program = new Installed();
  await program.previous.keep();
  rmSync(program.file);
  program.previous.mend();
  expect(program.version).toBe("1.0.0");
});

test("on Windows the installer of the version before is started; macOS has nothing to go back to", async () => {
  const folder = scratchFolder();
  const installer = join(folder, "installer.exe");
  writeFileSync(installer, "1.0.0");
  const previous = previousPackage("nsis", installer, join(folder, "updates"));
  await previous?.keep();
  writeFileSync(installer, "2.0.0");
  const { program = "", args } = previous?.putBack() ?? {};
  expect([readFileSync(program, "utf8"), args]).toEqual(["1.0.0", ["/S", "--force-run"]]);
  expect(previousPackage("mac", installer, folder)).toBeNull();
});
