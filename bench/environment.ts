import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";

export interface Environment {
  readonly date: string;
  readonly node: string;
  readonly platform: string;
  readonly cpus: number;
  readonly cpu: string;
  /** Bytes. */
  readonly memory: number;
  /** The system's kernel, as it names itself. */
  readonly kernel: string;
  /** What was measured, with a mark if it was changed since; "unknown" outside a checkout. */
  readonly commit: string;
  /**
   * The file system of the folder with the files and databases; "unknown" if the system does not
   * say.
   */
  readonly fileSystem: string;
  /** The load average of the last minute before the run. */
  readonly load: number;
}

export function environmentOf(folder: string): Environment {
  const all = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpus: all.length,
    cpu: all[0]?.model ?? "unknown",
    memory: totalmem(),
    kernel: release(),
    commit: commitOf(),
    fileSystem: fileSystemOf(folder),
    load: loadavg()[0] ?? Number.NaN,
  };
}

function commitOf(): string {
  const args = ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
  const git = spawnSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" });
  return git.status === 0 ? git.stdout.trim() : "unknown";
}

/** The mount with the longest path that contains the folder. */
function fileSystemOf(folder: string): string {
  let best = { at: "", type: "unknown" };
  for (const line of mounts()) {
    const [, at = "", type = "unknown"] = line.split(" ");
    const isAbove = at === "/" || folder === at || folder.startsWith(`${at}/`);
    if (isAbove && at.length >= best.at.length) best = { at, type };
  }
  return best.type;
}

function mounts(): readonly string[] {
  try {
    return readFileSync("/proc/self/mounts", "utf8").trim().split("\n");
  } catch {
    return [];
  }
}
