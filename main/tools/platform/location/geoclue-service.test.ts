import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasBusDaemon, startBusDaemon } from "../../../dbus/testing/bus-daemon.ts";
import { sendUnreadable } from "../../../dbus/testing/hostile-peer.ts";
import { geoclueService } from "./system-location.ts";
import { BERLIN, type StartBehaviour, startFakeGeoclue } from "./testing/fake-geoclue.ts";

const workerUrl = new URL("./location-worker.ts", import.meta.url);
const never = () => new AbortController().signal;

async function geoclue(behaviour: StartBehaviour) {
  const daemon = await startBusDaemon();
  const fake = await startFakeGeoclue(daemon.address, behaviour);
  return { fake, daemon, service: geoclueService(workerUrl, daemon.address) };
}

// Skipped without dbus-daemon; geoclue.test.ts tests the protocol without one.
describe.skipIf(!hasBusDaemon)("GeoClue on a real bus", () => {
  it("says who asks and how exactly, and gives the first location", async () => {
    const { fake, service } = await geoclue({ kind: "found" });
    expect(await service.find("coarse", never())).toEqual({
      latitude: BERLIN.Latitude,
      longitude: BERLIN.Longitude,
      accuracy_m: BERLIN.Accuracy,
      timestamp: 1_700_000_000_250,
      source: "geoclue",
    });
    await service.find("fine", never());
    const levels = fake.asked.filter((each) => each.startsWith("Requested"));
    expect(levels).toEqual(["RequestedAccuracyLevel=4", "RequestedAccuracyLevel=8"]);
    expect(fake.asked.slice(0, 4)).toEqual([
      "GetClient",
      "DesktopId=consentry",
      "RequestedAccuracyLevel=4",
      "Start",
    ]);
  });

  it.each([
    ["org.freedesktop.DBus.Error.AccessDenied", "access_denied"],
    ["org.freedesktop.DBus.Error.NoReply", "no_fix"],
    ["org.freedesktop.DBus.Error.Failed", "location_error"],
  ])("answers %s with %s", async (error, word) => {
    const { service } = await geoclue({ kind: "refuse", error });
    await expect(service.find("fine", never())).rejects.toMatchObject({
      name: "ToolFailure",
      code: word,
    });
  });

  it("is unavailable without the service, and without the bus", async () => {
    const daemon = await startBusDaemon();
    const service = geoclueService(workerUrl, daemon.address);
    const missing = { name: "ToolUnavailable", code: "no_provider" };
    await expect(service.find("fine", never())).rejects.toMatchObject(missing);
    await daemon.close();
    await expect(service.find("fine", never())).rejects.toMatchObject(missing);
  });

  it("ends when the bus goes away while it waits for a fix", async () => {
    const { fake, daemon, service } = await geoclue({ kind: "silent" });
    const started = fake.started();
    const finding = expect(service.find("fine", never())).rejects.toMatchObject({
      code: "location_error",
    });
    await started;
    await daemon.close();
    await finding;
  });

  it("stops at once when aborted, before and while it waits for a fix", async () => {
    const { fake, service } = await geoclue({ kind: "silent" });
    const cancelled = { name: "ToolFailure", code: "cancelled" };
    await expect(service.find("fine", AbortSignal.abort())).rejects.toMatchObject(cancelled);
    expect(fake.asked).toEqual([]);
    const abort = new AbortController();
    const started = fake.started();
    const finding = expect(service.find("fine", abort.signal)).rejects.toMatchObject(cancelled);
    await started;
    abort.abort();
    await finding;
  });

  it("survives a program of anybody's that sends it what cannot be read", async () => {
    const { fake, daemon, service } = await geoclue({ kind: "silent" });
    const started = fake.started();
    const finding = expect(service.find("fine", never())).rejects.toMatchObject({
      name: "ToolFailure",
      code: "location_error",
    });
    const name = await started;
    await sendUnreadable(daemon.address, join(daemon.folder, "proxy"), name);
    await finding;
  });

  it.skipIf(process.platform !== "linux")("leaves no descriptor behind", async () => {
    const { fake, service } = await geoclue({ kind: "silent" });
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const cancelOne = async () => {
      const abort = new AbortController();
      const started = fake.started();
      const finding = service.find("fine", abort.signal).catch(() => {});
      await started;
      abort.abort();
      await finding;
    };
    await cancelOne();
    const before = descriptors();
    for (let n = 0; n < 10_000; n += 1) {
      await service.find("fine", AbortSignal.abort()).catch(() => {});
    }
    for (let n = 0; n < 10; n += 1) await cancelOne();
    // A terminated thread closes its descriptors a little later.
    await expect.poll(descriptors).toBeLessThanOrEqual(before);
  });
});
