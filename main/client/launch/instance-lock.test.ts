import { mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { claimInstance, type InstanceLock } from "./instance-lock.ts";

const locks: InstanceLock[] = [];
afterEach(() => {
  for (const lock of locks.splice(0)) lock.release();
});

async function claimFirst(dataDir: string): Promise<InstanceLock> {
  const claim = await claimInstance(dataDir);
  if (claim.kind !== "first") throw new Error("the folder is taken");
  locks.push(claim.lock);
  return claim.lock;
}

const newFolder = () => mkdtempSync(join(tmpdir(), "consentry-lock-"));

describe("one instance per data folder", () => {
  it("the second learns where the first one's UI is, and raises it", async () => {
    const folder = newFolder();
    const lock = await claimFirst(folder);
    let raised = 0;
    await lock.serve(() => {
      raised += 1;
      return "http://127.0.0.1:1/#token=x";
    });
    expect(await claimInstance(folder)).toEqual({
      kind: "second",
      ui: "http://127.0.0.1:1/#token=x",
    });
    expect(raised).toBe(1);
  });

  it("another folder is another instance", async () => {
    await claimFirst(newFolder());
    await expect(claimFirst(newFolder())).resolves.toBeDefined();
  });

  it("a socket left behind by a process that is gone does not prevent a start", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "instance.sock"), "");
    const lock = await claimFirst(folder);
    await expect(lock.serve(() => "ui")).resolves.toBeUndefined();
    expect(statSync(join(folder, "instance.sock")).mode & 0o077).toBe(0);
  });

  it("a folder too deep for a socket path still works", async () => {
    const folder = join(newFolder(), "x".repeat(90), "y".repeat(90));
    const lock = await claimFirst(folder);
    await lock.serve(() => "ui");
    expect(await claimInstance(folder)).toEqual({ kind: "second", ui: "ui" });
  });

  it("a folder that cannot be written is store_unwritable", async () => {
    const file = join(newFolder(), "file");
    writeFileSync(file, "");
    await expect(claimInstance(join(file, "data"))).rejects.toMatchObject({
      code: "store_unwritable",
    });
  });
});
