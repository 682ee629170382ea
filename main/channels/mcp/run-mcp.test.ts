import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { FakePrograms } from "../../tools/platform/testing/fake-programs.ts";
import { sessionEnvironment as inSession } from "./run-mcp.ts";

const programs = FakePrograms.forEachTest();

const SESSION = [
  "DISPLAY=:0",
  "WAYLAND_DISPLAY=wayland-0",
  "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus",
  "XAUTHORITY=$'/run/user/1000/a b'",
  "NODE_OPTIONS=--inspect",
];
/** What the official SDK and Codex leave of an app's environment. */
const passedOn = () => ({ HOME: "/home/ada", PATH: programs.base, TERM: "xterm" });

/** Wherever these tests run. */
const AT_THE_COMPUTER = () => ["HOME=/home/ada\0NO_SSH_TTY=1\0", ""];
const sessionEnvironment = (env: Parameters<typeof inSession>[0]) =>
  inSession(env, AT_THE_COMPUTER);

const serviceManager = (body: string): void => programs.add("systemctl", body);
const knowsSession = () =>
  serviceManager(`process.stdout.write(${JSON.stringify(`${SESSION.join("\n")}\n`)});`);

describe.runIf(process.platform === "linux")("a program that an app starts through us", () => {
  it("gets the display of the person's session where the app passes none on, and only what a window needs", async () => {
    knowsSession();
    expect(await sessionEnvironment({ ...passedOn(), DISPLAY: "" })).toEqual({
      ...passedOn(),
      DISPLAY: ":0",
      WAYLAND_DISPLAY: "wayland-0",
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1000/bus",
    });
    const { argv, env } = programs.recorded("systemctl");
    expect(argv).toEqual(["--user", "show-environment"]);
    expect(env).toContain("XDG_RUNTIME_DIR");
  });

  it.each([
    ["has a display", { DISPLAY: ":1" }],
    ["has one of Wayland", { WAYLAND_DISPLAY: "wayland-1" }],
  ])("keeps its environment where the app %s", async (_, more) => {
    knowsSession();
    expect(await sessionEnvironment({ ...passedOn(), ...more })).toEqual({
      ...passedOn(),
      ...more,
    });
  });

  it.each(["SSH_CONNECTION=10.0.0.2 50000 10.0.0.1 22", "HOME=/home/ada\0SSH_TTY=/dev/pts/1"])(
    "keeps its environment where a process above it began in a remote shell: %j",
    async (began) => {
      knowsSession();
      const env = await inSession(passedOn(), () => ["HOME=/home/ada", began]);
      expect(env).toEqual(passedOn());
    },
  );

  it("is known to be in a remote shell by what the app that starts us began with", () => {
    const module = new URL("run-mcp.ts", import.meta.url).href;
    const look = `import(${JSON.stringify(module)}).then(({ environmentsAbove }) =>
      console.log(process.env.SSH_TTY, environmentsAbove().some((each) => each.includes("SSH_TTY=above"))))`;
    const app = `env -i "$0" -e '${look}'; true`;
    const env = { ...process.env, SSH_TTY: "above" };
    const told = execFileSync("sh", ["-c", app, process.execPath], { env, encoding: "utf8" });
    expect(told.trim()).toBe("undefined true");
  });

  it.each([
    ["there is no service manager", () => {}],
    ["it does not answer", () => serviceManager("process.exit(1);")],
  ])("keeps its environment where %s", async (_, prepare) => {
    prepare();
    expect(await sessionEnvironment(passedOn())).toEqual(passedOn());
  });
});
