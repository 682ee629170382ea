import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * A desktop's notification program, as the browser host looks for one: it notes what it was told
 * to show. Test machines have no desktop.
 */
export function installNotifier(folder: string): {
  readonly env: Record<string, string>;
  shown(): readonly string[];
} {
  const bin = join(folder, "bin");
  const log = join(folder, "shown.txt");
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\n[ "$1" = --help ] && exit\nprintf '%s\\n' "$*" >> '${log}'\n`;
  writeFileSync(join(bin, "notify-send"), script, { mode: 0o755 });
  return {
    env: {
      PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere",
    },
    shown: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
  };
}
