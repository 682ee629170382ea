import { describe, expect, test } from "vitest";
import { chooseHost, type HostFacts, lacksOnlyElectron, wantedHost } from "./choose-host.ts";

const desk: HostFacts = {
  wanted: null,
  platform: "linux",
  env: { DISPLAY: ":0" },
  electron: "/opt/electron",
  notFetched: null,
};
const choose = (facts: Partial<HostFacts>) => chooseHost({ ...desk, ...facts });

describe("when nothing is asked for", () => {
  test("the desktop host runs where Electron and a display are", () => {
    expect(choose({}).host).toBe("desktop");
    expect(choose({ env: { WAYLAND_DISPLAY: "wayland-0" } }).host).toBe("desktop");
  });

  test("macOS and Windows always have a display", () => {
    expect(choose({ platform: "darwin", env: {} }).host).toBe("desktop");
    expect(choose({ platform: "win32", env: {} }).host).toBe("desktop");
  });

  test.each<[string, Partial<HostFacts>]>([
    ["no Electron binary is installed", { electron: null }],
    ["there is no display", { env: {} }],
    ["there is no display", { env: { DISPLAY: "" } }],
    ["this is a remote shell", { env: { DISPLAY: ":0", SSH_CONNECTION: "a b" } }],
  ])("the browser host runs because %s", (why, facts) => {
    expect(choose(facts)).toEqual({ host: "browser", why });
  });
});

describe("when a host is asked for", () => {
  test("the browser host runs even where the desktop one could", () => {
    expect(choose({ wanted: "browser" })).toEqual({ host: "browser", why: "--host browser" });
  });

  test("the desktop host runs on a display reached from a remote shell", () => {
    const env = { DISPLAY: "localhost:10.0", SSH_TTY: "/dev/pts/1" };
    expect(choose({ wanted: "desktop", env }).host).toBe("desktop");
  });

  test("the desktop host is refused where it cannot run, never replaced", () => {
    expect(choose({ wanted: "desktop", electron: null })).toEqual({
      host: null,
      why: "The desktop host cannot run here: no Electron binary is installed.",
    });
    expect(choose({ wanted: "desktop", env: {} }).host).toBeNull();
  });

  test("a host nobody knows is refused", () => {
    expect(choose({ wanted: "moon" }).host).toBeNull();
    expect(choose({ wanted: "" }).host).toBeNull();
  });
});

describe("without Electron", () => {
  const lacks = (facts: Partial<HostFacts>) =>
    lacksOnlyElectron({ ...desk, electron: null, ...facts });

  test("it is fetched where there is a display, or the desktop host is asked for", () => {
    expect(lacks({})).toBe(true);
    expect(lacks({ wanted: "desktop" })).toBe(true);
    expect(lacks({ platform: "darwin", env: {} })).toBe(true);
  });

  test.each<[string, Partial<HostFacts>]>([
    ["the browser host is asked for", { wanted: "browser" }],
    ["there is no display", { env: {} }],
    ["the shell is remote", { env: { DISPLAY: ":0", SSH_TTY: "/dev/pts/1" } }],
    ["there is one already", { electron: "/opt/electron" }],
    ["the person names a folder", { env: { DISPLAY: ":0", ELECTRON_OVERRIDE_DIST_PATH: "/opt" } }],
  ])("nothing is fetched where %s", (_, facts) => {
    expect(lacks(facts)).toBe(false);
  });

  test("the browser host says why it could not be fetched, and how to get the window", () => {
    const { host, why } = choose({ electron: null, notFetched: "github.com cannot be reached" });
    expect(host).toBe("browser");
    expect(why).toMatch(/github\.com cannot be reached; for a window, .*ELECTRON_MIRROR/);
  });
});

describe("the flag", () => {
  test.each([
    [[], null],
    [["--port", "1"], null],
    [["--host", "browser"], "browser"],
    [["--host=desktop", "--no-open"], "desktop"],
    [["--host", "browser", "--host", "desktop"], "desktop"],
    [["--host"], ""],
    [["--hostile"], null],
  ])("%j wants %j", (argv, wanted) => {
    expect(wantedHost(argv)).toBe(wanted);
  });
});
