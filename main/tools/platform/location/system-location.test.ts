import { describe, expect, it } from "vitest";
import { systemLocation } from "./system-location.ts";

const workerUrl = new URL("./location-worker.ts", import.meta.url);
const isThere = (
  os: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  sockets: readonly string[],
): boolean =>
  systemLocation({ workerUrl, os, env, exists: (path) => sockets.includes(path) })() !== null;

describe("the system's location", () => {
  it("is asked for where the system bus has its socket", () => {
    expect(isThere("linux", {}, ["/run/dbus/system_bus_socket"])).toBe(true);
    expect(isThere("freebsd", {}, ["/var/run/dbus/system_bus_socket"])).toBe(true);
    expect(isThere("linux", {}, [])).toBe(false);
  });

  it("follows the address the system names, as long as it is a socket", () => {
    const named = (address: string) =>
      isThere("linux", { DBUS_SYSTEM_BUS_ADDRESS: address }, ["/own/bus"]);
    expect(named("unix:path=/own/bus")).toBe(true);
    expect(named("unix:path=/own/bus,guid=12;tcp:host=example.org")).toBe(true);
    expect(named("unix:path=/other/bus")).toBe(false);
    expect(named("unixexec:path=/own/bus")).toBe(false);
    expect(named("tcp:host=example.org,port=1")).toBe(false);
    expect(named("unix:path=own/bus")).toBe(false);
  });

  it("does not exist on macOS and Windows, and comes and goes with the bus elsewhere", () => {
    expect(isThere("darwin", {}, ["/run/dbus/system_bus_socket"])).toBe(false);
    expect(isThere("win32", {}, ["/run/dbus/system_bus_socket"])).toBe(false);
    let there = false;
    const location = systemLocation({ workerUrl, os: "linux", env: {}, exists: () => there });
    expect(location()).toBeNull();
    there = true;
    expect(location()).not.toBeNull();
  });
});
