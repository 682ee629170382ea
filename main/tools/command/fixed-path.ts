import { win32 } from "node:path";
import type { PathPlatform } from "../files/paths/path-rules.ts";

/**
 * The folders in which a bare program name is looked up, and the command's own `PATH`. Fixed:
 * neither the agent nor whoever started us can change what `git` means.
 */
const POSIX = [
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/usr/local/sbin",
  "/usr/sbin",
  "/sbin",
  // The only place where NixOS has its programs.
  "/run/current-system/sw/bin",
] as const;

const DARWIN = [
  "/opt/homebrew/bin",
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
] as const;

/** @param env our own; on Windows it says where the system is installed */
export function programFolders(platform: PathPlatform, env: NodeJS.ProcessEnv): readonly string[] {
  if (platform === "posix") return POSIX;
  if (platform === "darwin") return DARWIN;
  const system = env.SystemRoot ?? "C:\\Windows";
  const programs = env.ProgramFiles ?? "C:\\Program Files";
  return [
    win32.join(system, "System32"),
    system,
    win32.join(system, "System32", "WindowsPowerShell", "v1.0"),
    win32.join(programs, "Git", "cmd"),
    win32.join(programs, "nodejs"),
  ];
}

export const pathVariable = (folders: readonly string[], platform: PathPlatform): string =>
  folders.join(platform === "win32" ? ";" : ":");
