import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** What makes the sandboxes of commands on Linux, wherever the program looks for it. */
const MAKERS = ["bwrap", "setpriv"].flatMap((name) =>
  ["/usr/local/bin", "/usr/bin", "/usr/local/sbin", "/usr/sbin"].map(
    (folder) => `${folder}/${name}`,
  ),
);

const HIDES = MAKERS.filter((path) => existsSync(path))
  .map((path) => `mount --bind /dev/null ${path} && `)
  .join("");

/** The same command where the system has no sandbox: for it and what it starts, nowhere else. */
export const withoutSandbox = (argv: readonly string[]): readonly string[] => [
  ...["unshare", "--mount", "sh", "-c", `${HIDES}exec "$@"`, "sh"],
  ...argv,
];

/** False where this account may hide nothing, or on another system. */
export function canHideSandboxes(): boolean {
  const [program = "", ...args] = withoutSandbox(["true"]);
  return spawnSync(program, args).status === 0;
}
