import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { RETRY_MS, watchScreenLock } from "./screen-lock.ts";
import { type BusDaemon, hasBusDaemon, startBusDaemon } from "./testing/bus-daemon.ts";
import { fakeLogind, fakeScreenSaver } from "./testing/fake-locks.ts";
import { sendUnreadable } from "./testing/hostile-peer.ts";

const workerUrl = new URL("./lock-worker.ts", import.meta.url);
const uid = process.getuid?.() ?? 0;

/** Watches two buses; an address nobody listens at stands for one that is not there. */
function watching(buses: { system?: BusDaemon; session?: BusDaemon }, os?: NodeJS.Platform) {
  const time = new ManualTime();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const env = {
    DBUS_SYSTEM_BUS_ADDRESS: buses.system?.address ?? "unix:path=/nowhere",
    DBUS_SESSION_BUS_ADDRESS: buses.session?.address ?? "unix:path=/nowhere",
  };
  const parts = { workerUrl, scheduler: time, env, signal: stop.signal };
  const unlockedMs = watchScreenLock(os === undefined ? parts : { ...parts, os });
  return { time, stop, unlockedMs, isLocked: () => unlockedMs() === null };
}

const SAVERS = [
  ["org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"],
  ["org.freedesktop.ScreenSaver", "/ScreenSaver"],
  ["org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"],
  ["org.cinnamon.ScreenSaver", "/org/cinnamon/ScreenSaver"],
  ["org.mate.ScreenSaver", "/org/mate/ScreenSaver"],
  ["org.xfce.ScreenSaver", "/org/xfce/ScreenSaver"],
] as const;

// Skipped where there is no dbus-daemon.
describe.skipIf(!hasBusDaemon)("the screen's lock on real buses", () => {
  it("is what logind says of the session on the person's screen, and begins to count at its end", async () => {
    const system = await startBusDaemon();
    const logind = await fakeLogind(system.address, uid);
    logind.set(true);
    const { isLocked, unlockedMs } = watching({ system });
    await expect.poll(isLocked).toBe(true);
    logind.set(false);
    await expect.poll(isLocked).toBe(false);
    expect(unlockedMs()).toBeLessThan(60_000);
    logind.set(true);
    await expect.poll(isLocked).toBe(true);
  });

  it("is none where logind shows no session on a screen", async () => {
    const system = await startBusDaemon();
    const logind = await fakeLogind(system.address, uid, false);
    logind.set(true);
    const { unlockedMs } = watching({ system });
    await expect.poll(() => logind.asked).toEqual(["GetUser", "Get"]);
    expect(unlockedMs()).toBe(Number.POSITIVE_INFINITY);
  });

  it.each(SAVERS)("is what %s at %s says, whenever that starts", async (name, path) => {
    const session = await startBusDaemon();
    const { isLocked } = watching({ session });
    const saver = await fakeScreenSaver(session.address, name, path);
    saver.set(true);
    await expect.poll(isLocked).toBe(true);
    saver.set(false);
    await expect.poll(isLocked).toBe(false);
    saver.set(true);
    await expect.poll(isLocked).toBe(true);
    saver.close();
    await expect.poll(isLocked).toBe(false);
  });

  it("is locked as long as one of them says so", async () => {
    const [system, session] = [await startBusDaemon(), await startBusDaemon()];
    const logind = await fakeLogind(system.address, uid);
    const saver = await fakeScreenSaver(session.address, ...SAVERS[2]);
    const { isLocked } = watching({ system, session });
    logind.set(true);
    await expect.poll(isLocked).toBe(true);
    const asked = saver.asked.length;
    saver.set(true);
    await expect.poll(() => saver.asked.length).toBeGreaterThan(asked);
    const before = logind.asked.length;
    logind.set(false);
    await expect.poll(() => logind.asked.length).toBeGreaterThan(before);
    expect(isLocked()).toBe(true);
    saver.set(false);
    await expect.poll(isLocked).toBe(false);
  });

  it("believes no signal, but asks when one comes", async () => {
    const session = await startBusDaemon();
    const saver = await fakeScreenSaver(session.address, ...SAVERS[2]);
    const { isLocked } = watching({ session });
    saver.set(true);
    await expect.poll(isLocked).toBe(true);
    const asked = saver.asked.length;
    saver.lie();
    await expect.poll(() => saver.asked.length).toBeGreaterThan(asked);
    saver.set(true);
    await expect.poll(() => saver.asked.length).toBeGreaterThan(asked + 1);
    expect(isLocked()).toBe(true);
  });

  it("stays as it was last heard of while a peer breaks the connection, and is asked for again", async () => {
    const session = await startBusDaemon();
    const saver = await fakeScreenSaver(session.address, ...SAVERS[2]);
    saver.set(true);
    const { isLocked, time } = watching({ session });
    await expect.poll(isLocked).toBe(true);
    await sendUnreadable(session.address, join(session.folder, "proxy"), ":1.1");
    await expect.poll(() => time.pending).toBe(2);
    saver.set(false);
    expect(isLocked()).toBe(true);
    time.pass(RETRY_MS);
    await expect.poll(isLocked).toBe(false);
  });

  it("is no longer known when its bus is gone", async () => {
    const session = await startBusDaemon();
    const saver = await fakeScreenSaver(session.address, ...SAVERS[2]);
    saver.set(true);
    const { isLocked, time } = watching({ session });
    await expect.poll(isLocked).toBe(true);
    await session.close();
    await expect.poll(() => time.pending).toBe(2);
    time.pass(RETRY_MS);
    expect(isLocked()).toBe(false);
  });
});

describe("the screen's lock without a bus", () => {
  it("is looked for time and again, until the program ends", () => {
    const { unlockedMs, time, stop } = watching({});
    expect(unlockedMs()).toBe(Number.POSITIVE_INFINITY);
    time.pass(RETRY_MS);
    expect(time.pending).toBe(2);
    stop.abort();
    expect(time.pending).toBe(0);
  });

  it.each(["darwin", "win32"] as const)("is not looked for on %s", (os) => {
    expect(watching({}, os).time.pending).toBe(0);
  });
});
