import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { LONG_WAIT } from "../testing/eventually.ts";
import { LaunchedClient } from "../testing/launched-client.ts";

const PROGRAM = fileURLToPath(
  new URL("../../tools/command/testing/run-until-killed.ts", import.meta.url),
);

describe.skipIf(process.platform === "win32")("what a command leaves at kill -9", () => {
  let temporary: string;
  let root: string;
  let client: LaunchedClient;
  const outer = process.env.TMPDIR;
  beforeEach(() => {
    client = new LaunchedClient();
    mkdirSync(client.dataDir);
    root = scratchFolder();
    temporary = scratchFolder();
    process.env.TMPDIR = temporary;
  });
  afterEach(async () => {
    if (outer === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = outer;
    await client.end();
  });
  const folders = () => readdirSync(temporary).filter((name) => name.includes("command"));

  /** A client on this data folder that was killed while it ran a command. @returns its pid */
  async function killedOn(dataDir: string): Promise<void> {
    const script =
      'echo "$TMPDIR" > told; mkdir "$TMPDIR/a"; echo > "$TMPDIR/a/b"; echo $$ > up; sleep 60';
    const argv = [root, dataDir, "plain", "sh", "-c", script];
    const child = spawn(process.execPath, [PROGRAM, ...argv], { stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await expect.poll(() => existsSync(join(root, "up")), LONG_WAIT).toBe(true);
    child.kill("SIGKILL");
    await ended;
    process.kill(Number(readFileSync(join(root, "up"), "utf8")), "SIGKILL");
    rmSync(join(root, "up"));
  }

  it("is removed at the next start on that data folder, but not what belongs to another folder", async () => {
    const other = join(root, "other-data");
    mkdirSync(other);
    await killedOn(realpathSync(other));
    const [others] = folders();
    await killedOn(realpathSync(client.dataDir));
    expect(folders()).toHaveLength(2);
    await client.launch();
    await expect.poll(folders, LONG_WAIT).toEqual([others]);
  });

  it("is distinguished from what somebody else put there with such a name", async () => {
    await killedOn(realpathSync(client.dataDir));
    const [left = ""] = folders();
    writeFileSync(join(root, "kept"), "");
    const planted = `${left}x`;
    symlinkSync(root, join(temporary, planted));
    const open = `${left}y`;
    mkdirSync(join(temporary, open), { mode: 0o777 });
    await client.launch();
    await expect.poll(folders, LONG_WAIT).toEqual([planted, open]);
    expect(readdirSync(root)).toContain("kept");
  });
});
