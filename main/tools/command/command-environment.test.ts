import { describe, expect, it } from "vitest";
import { commandEnvironment } from "./machine.ts";

const SECRETS = {
  ...{ AWS_SECRET_ACCESS_KEY: "s", GITHUB_TOKEN: "s", HASHEE_AGENT_TOKEN: "s", npm_config_x: "s" },
  ...{
    NODE_OPTIONS: "--require /evil",
    LD_PRELOAD: "/evil",
    LD_LIBRARY_PATH: "/evil",
    BASH_ENV: "/evil",
  },
  ...{ DYLD_INSERT_LIBRARIES: "/evil", PYTHONPATH: "/evil", PATH: "/evil", PS1: "x", IFS: "x" },
  ...{ SSH_AUTH_SOCK: "/s", DBUS_SESSION_BUS_ADDRESS: "s", DISPLAY: ":0", XDG_RUNTIME_DIR: "/s" },
  ...{ LC_: "x", lc_all: "x", LC_X1: "x" },
};

const parts = {
  path: "/bin",
  directory: "/r",
  home: "/home/p",
  temporary: "/tmp/t",
  marker: "m",
} as const;

describe("the environment of a command", () => {
  it("is the stated list on POSIX systems", () => {
    const own = { ...SECRETS, LANG: "de_DE.UTF-8", LC_TIME: "C", TZ: "Europe/Berlin" };
    expect(commandEnvironment({ ...parts, platform: "posix", own })).toEqual({
      ...{ PATH: "/bin", HOME: "/home/p", PWD: "/r", TMPDIR: "/tmp/t", TERM: "dumb", SHLVL: "1" },
      ...{ LANG: "de_DE.UTF-8", LC_TIME: "C", TZ: "Europe/Berlin", CONSENTRY_COMMAND: "m" },
    });
    expect(commandEnvironment({ ...parts, platform: "darwin", own: {} })).toMatchObject({
      LANG: "C.UTF-8",
    });
  });

  it("is the stated list on Windows", () => {
    const system = { SystemRoot: "C:\\Windows", APPDATA: "C:\\Users\\p\\AppData\\Roaming" };
    const own = { ...SECRETS, ...system };
    expect(commandEnvironment({ ...parts, platform: "win32", own })).toEqual({
      ...{ ...system, PATH: "/bin", PATHEXT: ".COM;.EXE", TEMP: "/tmp/t", TMP: "/tmp/t" },
      CONSENTRY_COMMAND: "m",
    });
  });
});
