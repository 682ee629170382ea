import { existsSync } from "node:fs";
import { join, win32 } from "node:path";
import {
  desktopClipboard,
  desktopImages,
  macClipboard,
  macImages,
  programClipboard,
  programImages,
  windowsClipboard,
  windowsImages,
} from "./clipboard-programs.ts";
import { macNotifications, type NotificationHost, notifySend } from "./notification-programs.ts";
import {
  type ClipboardImageService,
  type ClipboardService,
  NO_SERVICES,
  type NotificationService,
  type PlatformServices,
} from "./platform-services.ts";
import { findProgram, type IsProgram, isProgram } from "./run-program.ts";

export interface SystemProgramsOptions {
  readonly os?: NodeJS.Platform;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether there is a program at an absolute path. */
  readonly isProgram?: IsProgram;
  /** Whether anything exists at an absolute path (the session bus's socket). */
  readonly exists?: (path: string) => boolean;
}

interface Machine {
  readonly os: NodeJS.Platform;
  readonly env: Readonly<Record<string, string>>;
  readonly isProgram: IsProgram;
  readonly exists: (path: string) => boolean;
  readonly find: (name: string) => string | null;
}

/**
 * What the programs need to find display, bus and character encoding. None of our secrets is passed
 * on.
 */
const ENV_KEPT = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "DISPLAY",
  "XAUTHORITY",
  "WAYLAND_DISPLAY",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "SystemRoot",
  "TEMP",
  "TMP",
  "USERPROFILE",
] as const;

/** Programs already on this machine, as platform services. Looks them up now, but starts none. */
export function systemPrograms(
  host: NotificationHost,
  options: SystemProgramsOptions = {},
): PlatformServices {
  const machine = machineOf(options);
  const clipboard = clipboardOf(machine);
  const images = imagesOf(machine);
  const notifications = notificationsOf(machine, host);
  return {
    ...NO_SERVICES,
    clipboard: () => clipboard,
    clipboardImages: () => images,
    notifications: () => notifications,
  };
}

function machineOf(options: SystemProgramsOptions): Machine {
  const env = keptEnv(options.env ?? process.env);
  const there = options.isProgram ?? isProgram;
  return {
    os: options.os ?? process.platform,
    env,
    isProgram: there,
    exists: options.exists ?? existsSync,
    find: (name) => findProgram(name, env.PATH ?? "", there),
  };
}

function keptEnv(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ENV_KEPT.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function clipboardOf({ os, env, find, isProgram: there }: Machine): ClipboardService | null {
  if (os === "win32") {
    const powershell = windowsPowershell(env);
    return there(powershell) ? programClipboard(windowsClipboard(powershell), env) : null;
  }
  const programs = os === "darwin" ? macClipboard(find) : desktopClipboard(env, find);
  if (programs === null) return null;
  // Without a UTF-8 locale, pbcopy and pbpaste use Mac OS Roman.
  return programClipboard(programs, os === "darwin" ? { ...env, LC_CTYPE: "UTF-8" } : env);
}

function imagesOf({ os, env, find, isProgram: there }: Machine): ClipboardImageService | null {
  if (os === "win32") {
    const powershell = windowsPowershell(env);
    return there(powershell) ? programImages(windowsImages(powershell), env) : null;
  }
  const programs = os === "darwin" ? macImages(find) : desktopImages(env, find);
  return programs === null ? null : programImages(programs, env);
}

function notificationsOf(machine: Machine, host: NotificationHost): NotificationService | null {
  const { os, env, find } = machine;
  // Windows has no program for it; there the desktop host or the page shows notifications.
  if (os === "win32") return null;
  if (os === "darwin") {
    const osascript = find("osascript");
    return osascript === null ? null : macNotifications(osascript, env);
  }
  const program = hasSessionBus(machine) ? find("notify-send") : null;
  return program === null ? null : notifySend(program, env, host);
}

function hasSessionBus({ env, exists }: Machine): boolean {
  if (env.DBUS_SESSION_BUS_ADDRESS) return true;
  const runtime = env.XDG_RUNTIME_DIR;
  return runtime?.startsWith("/") === true && exists(join(runtime, "bus"));
}

/**
 * By its full path: on Windows the search path may begin with a folder that anybody can write to.
 */
function windowsPowershell(env: Readonly<Record<string, string>>): string {
  const system = env.SystemRoot ?? "C:\\Windows";
  return win32.join(system, "System32", "WindowsPowerShell", "v1.0", "powershell.exe");
}
