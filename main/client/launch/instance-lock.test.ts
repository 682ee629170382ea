import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { ManualTime, turn } from "../../../app/contract/testing/manual-time.ts";
import { socketAddress } from "../../channels/local/socket-address.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { claimInstance, type InstanceLock, secondStartLine } from "./instance-lock.ts";

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

const serveWith = (lock: InstanceLock, raise: (link: string | null) => string) =>
  lock.serve({ raise, ownerToken: async () => null });

/** A first one with a UI, and the links with which it was raised; null: without one. */
async function firstShown(ui = "ui") {
  const folder = scratchFolder();
  const lock = await claimFirst(folder);
  const raised: (string | null)[] = [];
  const stop = await serveWith(lock, (link) => {
    raised.push(link);
    return ui;
  });
  return { folder, lock, raised, stop };
}

describe("one instance per data folder", () => {
  it("the second learns where the first one's UI is, and raises it", async () => {
    const ui = "http://127.0.0.1:1/#token=x";
    const { folder, raised } = await firstShown(ui);
    expect(await claimInstance(folder)).toEqual({ kind: "second", ui });
    expect(raised).toEqual([null]);
  });

  it.each([
    ["consentry://open/agents", "consentry://open/agents"],
    ["consentry://open/agents\nraise", null],
    ["https://example.org", null],
  ])("the first gets the second one's link %j as %j", async (link, passed) => {
    const { folder, raised } = await firstShown();
    expect(await claimInstance(folder, link)).toEqual({ kind: "second", ui: "ui" });
    expect(raised).toEqual([passed]);
  });

  describe("a second one that comes while the first does not answer", () => {
    /** It has tried once, and waits. */
    async function secondOn(folder: string, link?: string) {
      const time = new ManualTime();
      const waits = time.nextTimer();
      const second = claimInstance(folder, link, { monotonic: time, scheduler: time });
      await waits;
      return { second, time };
    }

    it("raises it once that has started", async () => {
      const folder = scratchFolder();
      const lock = await claimFirst(folder);
      const { second, time } = await secondOn(folder, "consentry://open/agents");
      const links: (string | null)[] = [];
      await serveWith(lock, (link) => {
        links.push(link);
        return "ui";
      });
      time.pass(1_000);
      expect(await second).toEqual({ kind: "second", ui: "ui" });
      expect(links).toEqual(["consentry://open/agents"]);
    });

    it("takes its place once that has ended, and raises nothing that is ending", async () => {
      const { folder, lock, raised, stop } = await firstShown();
      stop();
      const { second, time } = await secondOn(folder);
      lock.release();
      time.pass(1_000);
      const claim = await second;
      if (claim.kind === "first") locks.push(claim.lock);
      expect([claim.kind, raised]).toEqual(["first", []]);
    });

    it("gives up after a while", async () => {
      const folder = scratchFolder();
      await claimFirst(folder);
      const { second, time } = await secondOn(folder);
      time.pass(60_000);
      expect(await second).toEqual({ kind: "second", ui: null });
    });
  });

  it("raises nothing for one that connected before its end and asks afterwards", async () => {
    const { folder, raised, stop } = await firstShown();
    const peer = createConnection(socketAddress(folder, "instance"));
    await once(peer, "connect");
    await turn();
    stop();
    peer.write("raise\n");
    expect([await text(peer), raised]).toEqual(["\n", []]);
  });

  it("another folder is another instance", async () => {
    await claimFirst(scratchFolder());
    await expect(claimFirst(scratchFolder())).resolves.toBeDefined();
  });

  it("a socket left behind by a process that is gone does not prevent a start", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "instance.sock"), "");
    const lock = await claimFirst(folder);
    await expect(serveWith(lock, () => "ui")).resolves.toBeDefined();
    expect(statSync(join(folder, "instance.sock")).mode & 0o077).toBe(0);
  });

  it("a folder too deep for a socket path still works", async () => {
    const folder = join(scratchFolder(), "x".repeat(90), "y".repeat(90));
    const lock = await claimFirst(folder);
    await serveWith(lock, () => "ui");
    expect(await claimInstance(folder)).toEqual({ kind: "second", ui: "ui" });
  });

  it.each([
    [
      "the link, where the UI is a page",
      "http://127.0.0.1:1/#token=x",
      "; open http://127.0.0.1:1/#token=x",
    ],
    [
      "that the window was brought up",
      "consentry-app://app/index.html",
      "; its window was brought up.",
    ],
    ["that nothing answers", null, ", but does not answer."],
  ])("the person reads %s", (_, ui, said) => {
    expect(secondStartLine("/data", ui)).toBe(`Consentry already runs on /data${said}`);
  });

  it("a folder that cannot be written is store_unwritable", async () => {
    const file = join(scratchFolder(), "file");
    writeFileSync(file, "");
    await expect(claimInstance(join(file, "data"))).rejects.toMatchObject({
      code: "store_unwritable",
    });
  });
});
