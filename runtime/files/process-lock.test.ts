import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rename, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { ScratchFolder } from "../../main/testing/scratch-folder.ts";
import { holderName, ProcessLock } from "./process-lock.ts";

const scratch = ScratchFolder.forEachTest();
let folder: string;
beforeEach(() => {
  folder = join(scratch.base, "lock");
});

const take = (lost = () => {}, pause: () => Promise<void> = async () => undefined) =>
  ProcessLock.take(folder, lost, pause);

async function heldBy(name: string, at = new Date()): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, name), "");
  await utimes(join(folder, name), at, at);
}

describe("a lock", () => {
  it("is one holder's, says whose, and is the next one's when it is let go", async () => {
    const first = await take();
    expect(await readdir(folder)).toEqual([await holderName(process.pid)]);
    await expect(take()).rejects.toThrow(expect.objectContaining({ name: "InUseError" }));
    await first.release();
    expect(await readdir(folder)).toEqual(["free"]);
    await (await take()).release();
  });

  it("is had by one of many who ask at once", async () => {
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => take()));
    const had = asked.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(had).toHaveLength(1);
    expect(await readdir(scratch.base)).toEqual(["lock"]);
    await had[0]?.release();
  });

  it("is waited for while its holder is leaving", async () => {
    const first = await take();
    let waited = 0;
    const next = await take(undefined, async () => {
      waited += 1;
      if (waited === 3) await first.release();
    });
    expect(waited).toBe(3);
    await next.release();
  });

  it("of a process that runs is refused, and of one that was killed is taken over", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await once(child, "spawn");
    await heldBy(await holderName(child.pid ?? 0));
    await expect(take()).rejects.toThrow(expect.objectContaining({ name: "InUseError" }));
    child.kill("SIGKILL");
    await once(child, "exit");
    await (await take()).release();
  });

  it.runIf(process.platform === "linux")(
    "of an earlier process with the same id is taken over, as in a container that restarts",
    async () => {
      await heldBy(`${process.pid}-before.1-${hostname()}`);
      await (await take()).release();
    },
  );

  it("of another machine is refused while it is heard of, and taken over after a minute", async () => {
    await heldBy("1-x.1-elsewhere");
    await expect(take()).rejects.toThrow(expect.objectContaining({ name: "InUseError" }));
    const longAgo = new Date(Date.now() - 61_000);
    await utimes(join(folder, "1-x.1-elsewhere"), longAgo, longAgo);
    await (await take()).release();
  });

  it("is heard of at every beat, and notices at one that somebody else has it", async () => {
    let isLost = false;
    const lock = await take(() => {
      isLost = true;
    });
    const entry = join(folder, await holderName(process.pid));
    await utimes(entry, 0, 0);
    await lock.beat();
    expect((await stat(entry)).mtimeMs).toBeGreaterThan(0);
    expect(isLost).toBe(false);
    await rename(entry, join(folder, "1-x.1-elsewhere"));
    await lock.beat();
    expect(isLost).toBe(true);
    await lock.release();
    expect(await readdir(folder)).toEqual(["1-x.1-elsewhere"]);
  });
});
