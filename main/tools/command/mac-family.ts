import { execFile } from "node:child_process";
import { MARKER_VARIABLE } from "./command-environment.ts";

/**
 * The processes of a command in the output of `ps -axEww -o pid=,ppid=,pgid=,command=`: by group,
 * by the marker in the environment, and all descendants of those. Pure.
 */
export function familyIn(listing: string, leader: number, marker: string): readonly number[] {
  const lines = listing.split("\n").flatMap((line) => {
    const [, pid, parent, group, command = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/u.exec(line) ?? [];
    if (pid === undefined) return [];
    const marked = command.includes(`${MARKER_VARIABLE}=${marker}`);
    return [{ pid: Number(pid), parent: Number(parent), own: marked || Number(group) === leader }];
  });
  const family = new Set(lines.filter(({ own }) => own).map(({ pid }) => pid));
  for (let before = -1; before !== family.size; ) {
    before = family.size;
    for (const { pid, parent } of lines) if (family.has(parent)) family.add(pid);
  }
  return [...family];
}

/** Empty if `ps` does not answer. */
export function macFamily(leader: number, marker: string): Promise<readonly number[]> {
  const argv = ["-axEww", "-o", "pid=,ppid=,pgid=,command="];
  return new Promise((resolve) => {
    execFile("/bin/ps", argv, { maxBuffer: 64 * 1024 * 1024 }, (_error, listing) =>
      resolve(familyIn(listing, leader, marker)),
    );
  });
}
