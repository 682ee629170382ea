import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLIPBOARD_MAX_CHARS } from "../../../app/contract/tools/clipboard.ts";
import type { ClipboardService, NotificationService } from "./platform-services.ts";
import { systemPrograms } from "./system-programs.ts";
import { FakePrograms, present } from "./testing/fake-programs.ts";

const HOST = { opened: () => {}, ended: new AbortController().signal };
const POSIX = process.platform !== "win32";
const never = new AbortController().signal;
const programs = FakePrograms.forEachTest();

const wayland = (): ClipboardService =>
  present(
    programs.services("linux", { WAYLAND_DISPLAY: "wayland-0", SECRET_TOKEN: "s" }).clipboard(),
  );

const notifier = (os: NodeJS.Platform = "linux"): NotificationService =>
  present(programs.services(os, { DBUS_SESSION_BUS_ADDRESS: "unix:path=/x" }).notifications());

const note = (title: string, body: string) => ({
  title,
  body,
  agentName: "Bot",
  agentId: "a",
  conversationId: "c",
  replaces: null,
  folded: 0,
});

async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
}

describe("looking programs up", () => {
  const found = (
    os: NodeJS.Platform,
    env: NodeJS.ProcessEnv,
    there: readonly string[],
  ): readonly [clipboard: boolean, notifications: boolean] => {
    const isThere = (path: string): boolean => there.includes(path);
    const services = systemPrograms(HOST, { os, env, isProgram: isThere, exists: isThere });
    return [services.clipboard() !== null, services.notifications() !== null];
  };
  const WAYLAND = ["/usr/bin/wl-copy", "/usr/bin/wl-paste"];
  const X = { PATH: "/usr/bin", DISPLAY: ":0" };

  it("needs the display, and both halves of the clipboard", () => {
    const env = { PATH: "/usr/bin", WAYLAND_DISPLAY: "wayland-0" };
    expect(found("linux", env, WAYLAND)).toEqual([true, false]);
    expect(found("linux", env, ["/usr/bin/wl-copy"])).toEqual([false, false]);
    expect(found("linux", { PATH: "/usr/bin" }, WAYLAND)).toEqual([false, false]);
    expect(found("linux", X, ["/usr/bin/xclip"])).toEqual([true, false]);
    expect(found("linux", X, ["/usr/bin/xsel"])).toEqual([true, false]);
    expect(found("linux", { PATH: "/usr/bin" }, ["/usr/bin/xclip"])).toEqual([false, false]);
    expect(found("linux", { ...X, ...env }, ["/usr/bin/xclip"])).toEqual([true, false]);
  });

  it("needs a session bus for notifications, named or standing", () => {
    const program = "/usr/bin/notify-send";
    const bus = { PATH: "/usr/bin", DBUS_SESSION_BUS_ADDRESS: "unix:path=/x" };
    const runtime = { PATH: "/usr/bin", XDG_RUNTIME_DIR: "/run/user/1" };
    expect(found("linux", bus, [program])).toEqual([false, true]);
    expect(found("linux", bus, [])).toEqual([false, false]);
    expect(found("linux", runtime, [program, "/run/user/1/bus"])).toEqual([false, true]);
    expect(found("linux", runtime, [program])).toEqual([false, false]);
  });

  it("never looks in the current folder, which PATH may name", () => {
    for (const PATH of ["", ".", ":", "bin::./x", "relative/bin"]) {
      const services = systemPrograms(HOST, { os: "darwin", env: { PATH }, isProgram: () => true });
      expect([services.clipboard(), services.notifications()]).toEqual([null, null]);
    }
  });

  it("knows the programs of macOS and of Windows", () => {
    const mac = ["/usr/bin/pbcopy", "/usr/bin/pbpaste", "/usr/bin/osascript"];
    expect(found("darwin", { PATH: "/bin:/usr/bin" }, mac)).toEqual([true, true]);
    const powershell = "D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe";
    expect(found("win32", { SystemRoot: "D:\\Win" }, [powershell])).toEqual([true, false]);
    expect(found("win32", { SystemRoot: "C:\\Windows" }, [powershell])).toEqual([false, false]);
  });

  it("takes only executable regular files for programs", () => {
    mkdirSync(join(programs.base, "wl-copy"));
    writeFileSync(join(programs.base, "wl-paste"), "");
    expect(programs.services("linux", { WAYLAND_DISPLAY: "w" }).clipboard()).toBeNull();
  });
});

describe.skipIf(!POSIX)("running them", () => {
  it("hands text over by standard input alone, byte for byte, with no secret beside it", async () => {
    programs.add("wl-copy");
    programs.add("wl-paste");
    const text = "--clear; $(touch x) `id` né\u0000\n";
    await wayland().write(text, never);
    const { argv, stdin, env } = programs.recorded("wl-copy");
    expect(stdin).toBe(text);
    expect(argv).toEqual(["--type", "text/plain;charset=utf-8"]);
    expect(env).toContain("WAYLAND_DISPLAY");
    expect(env).not.toContain("SECRET_TOKEN");
  });

  it("reads what the program prints", async () => {
    programs.add("wl-copy");
    programs.add("wl-paste", `process.stdout.write("\\ufeffné\\n");`);
    expect(await wayland().read(never)).toBe("\ufeffné\n");
    expect(programs.recorded("wl-paste").argv).toEqual(["--no-newline", "--type", "text"]);
  });

  it("uses xclip, else xsel, on X11", async () => {
    programs.add("xsel", `process.stdout.write("from xsel");`);
    expect(
      await present(programs.services("linux", { DISPLAY: ":0" }).clipboard()).read(never),
    ).toBe("from xsel");
    programs.add("xclip", `process.stdout.write("from xclip");`);
    const clipboard = present(programs.services("linux", { DISPLAY: ":0" }).clipboard());
    expect(await clipboard.read(never)).toBe("from xclip");
    await clipboard.write("x", never);
    expect(programs.recorded("xclip")).toMatchObject({
      argv: ["-selection", "clipboard", "-in"],
      stdin: "x",
    });
  });

  it("does not wait for the child that keeps the selection after a write", async () => {
    programs.add("wl-paste");
    programs.add(
      "wl-copy",
      `const child = require("node:child_process").spawn(process.execPath,
         ["-e", "setTimeout(() => {}, 30000)"], { detached: true, stdio: "inherit" });
       fs.writeFileSync(${JSON.stringify(join(programs.base, "child"))}, String(child.pid)); child.unref();`,
    );
    await wayland().write("x", never);
    process.kill(Number(readFileSync(join(programs.base, "child"), "utf8")), "SIGKILL");
  });

  it("refuses bytes that are no text, and more than could be text of the limit", async () => {
    programs.add("wl-copy");
    programs.add("wl-paste", `process.stdout.write(Buffer.from([0x89, 0x50]));`);
    await expect(wayland().read(never)).rejects.toMatchObject({ code: "not_text" });
    const size = 3 * CLIPBOARD_MAX_CHARS + 1;
    programs.add("wl-paste", `process.stdout.write("x".repeat(${size}));`);
    await expect(wayland().read(never)).rejects.toMatchObject({ code: "too_large" });
    programs.add("wl-paste", `for (;;) fs.writeSync(1, "x".repeat(65536));`);
    await expect(wayland().read(never)).rejects.toMatchObject({ code: "too_large" });
  });

  it("fails when the program fails, or has gone since it was found", async () => {
    programs.add("wl-copy", "process.exit(1);");
    programs.add("wl-paste", `process.stdout.write("half"); process.exitCode = 1;`);
    const clipboard = wayland();
    await expect(clipboard.write("x", never)).rejects.toThrow();
    await expect(clipboard.read(never)).rejects.toThrow();
    rmSync(join(programs.base, "wl-paste"));
    rmSync(join(programs.base, "wl-copy"));
    await expect(clipboard.write("x", never)).rejects.toThrow();
    await expect(clipboard.read(never)).rejects.toThrow();
  });

  it("kills the program when the call is aborted", async () => {
    const hang = `fs.writeFileSync(${JSON.stringify(join(programs.base, "pid"))} , String(process.pid));
      fs.renameSync(${JSON.stringify(join(programs.base, "pid"))}, ${JSON.stringify(join(programs.base, "pid-written"))});
      setInterval(() => {}, 1000);`;
    programs.add("wl-copy", hang);
    programs.add("wl-paste", hang);
    for (const start of ["read", "write"] as const) {
      const abort = new AbortController();
      const clipboard = wayland();
      const call =
        start === "read" ? clipboard.read(abort.signal) : clipboard.write("x", abort.signal);
      const ended = expect(call).rejects.toMatchObject({ code: "cancelled" });
      await appears(join(programs.base, "pid-written"));
      const pid = Number(readFileSync(join(programs.base, "pid-written"), "utf8"));
      rmSync(join(programs.base, "pid-written"));
      abort.abort();
      await ended;
      while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it("starts nothing for a call that was aborted before", async () => {
    programs.add("wl-copy");
    programs.add("wl-paste");
    await expect(wayland().write("x", AbortSignal.abort())).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(existsSync(join(programs.base, "wl-copy.json"))).toBe(false);
  });

  it("gives notify-send text after --, with markup and backslashes made harmless", async () => {
    programs.add("notify-send");
    await notifier().show(note("--help: x", '<a href="x">&\\n\\u{202e}</a>'), never);
    expect(programs.recorded("notify-send").argv).toEqual([
      "--app-name=Consentry",
      "--",
      "--help: x",
      '&lt;a href="x"&gt;&amp;\\\\n\\\\u{202e}&lt;/a&gt;',
    ]);
  });

  it("gives osascript text as arguments and never as part of the script", async () => {
    programs.add("osascript");
    const evil = '" & (do shell script "id") & "';
    await notifier("darwin").show(note(evil, evil), never);
    const { argv } = programs.recorded("osascript");
    expect(argv.slice(-3)).toEqual(["--", evil, evil]);
    expect(argv.slice(0, -2).join(" ")).not.toContain("shell");
  });

  it.each(["linux", "darwin"] as const)(
    "shows only the first of a row of folded ones where none can be replaced (%s)",
    async (os) => {
      const program = os === "darwin" ? "osascript" : "notify-send";
      programs.add(program);
      const folded = (count: number) => ({ ...note("Bot", `${count} more`), folded: count });
      const service = notifier(os);
      await service.show(folded(1), never);
      await service.show(folded(2), never);
      expect(programs.recorded(program).argv.at(-1)).toBe("1 more");
    },
  );

  it("talks to pbcopy and pbpaste in UTF-8", async () => {
    programs.add("pbcopy");
    programs.add("pbpaste", `process.stdout.write(process.env.LC_CTYPE);`);
    const clipboard = present(programs.services("darwin", {}).clipboard());
    await clipboard.write("né", never);
    expect(programs.recorded("pbcopy").stdin).toBe("né");
    expect(await clipboard.read(never)).toBe("UTF-8");
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
