import { spawnSync } from "node:child_process";
import { startMeasured } from "./measured-process.ts";
import type { Subject } from "./subject.ts";

export type Wanted = { readonly glob: string } | { readonly text: string };

/** The version of `rg` on the search path; null if there is none. */
export function ripgrepVersion(): string | null {
  const { stdout, error } = spawnSync("rg", ["--version"], { encoding: "utf8" });
  return error === undefined ? (stdout.split("\n", 1)[0] ?? null) : null;
}

/** Everything but binary files, like our search; the person's configuration is ignored. */
const ALL = ["--no-config", "--no-ignore", "--hidden", "--no-messages"];

/** A new process for each search, as people use it. `threads` null: ripgrep decides. */
export const startRipgrep = (
  name: string,
  folder: string,
  wanted: Wanted,
  found: number,
  threads: number | null,
): Promise<Subject> =>
  startMeasured({
    name,
    modes: [1],
    entry: "ripgrep.ts",
    args: [
      String(found),
      ...ALL,
      ...(threads === null ? [] : ["--threads", String(threads)]),
      ...("glob" in wanted
        ? ["--files", "--glob", wanted.glob]
        : ["--fixed-strings", "--line-number", "--column", "--", wanted.text]),
      folder,
    ],
  });
