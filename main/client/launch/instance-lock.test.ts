import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
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

describe("one instance per data folder", () => {
  it("the second learns where the first one's UI is, and raises it", async () => {
    const folder = scratchFolder();
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

  it.each([
    ["consentry://open/agents", "consentry://open/agents"],
    ["consentry://open/agents\nraise", null],
    ["https://example.org", null],
  ])("the first gets the second one's link %j as %j", async (link, passed) => {
    const folder = scratchFolder();
    const lock = await claimFirst(folder);
    const links: (string | null)[] = [];
    await lock.serve((each) => {
      links.push(each);
      return "ui";
    });
    expect(await claimInstance(folder, link)).toEqual({ kind: "second", ui: "ui" });
    expect(links).toEqual([passed]);
  });

  it("another folder is another instance", async () => {
    await claimFirst(scratchFolder());
    await expect(claimFirst(scratchFolder())).resolves.toBeDefined();
  });

  it("a socket left behind by a process that is gone does not prevent a start", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "instance.sock"), "");
    const lock = await claimFirst(folder);
    await expect(lock.serve(() => "ui")).resolves.toBeUndefined();
    expect(statSync(join(folder, "instance.sock")).mode & 0o077).toBe(0);
  });

  it("a folder too deep for a socket path still works", async () => {
    const folder = join(scratchFolder(), "x".repeat(90), "y".repeat(90));
    const lock = await claimFirst(folder);
    await lock.serve(() => "ui");
    expect(await claimInstance(folder)).toEqual({ kind: "second", ui: "ui" });
  });

  it("a folder that cannot be written is store_unwritable", async () => {
    const file = join(scratchFolder(), "file");
    writeFileSync(file, "");
    await expect(claimInstance(join(file, "data"))).rejects.toMatchObject({
      code: "store_unwritable",
    });
  });
});
