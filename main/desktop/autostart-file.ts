import { readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { LoginStart } from "../client/host-port.ts";

/** The Base Directory and Autostart specifications of freedesktop.org. */
export function autostartFolder(env: NodeJS.ProcessEnv, home: string): string {
  const { XDG_CONFIG_HOME: set } = env;
  return join(set !== undefined && isAbsolute(set) ? set : join(home, ".config"), "autostart");
}

/** Control characters would begin another line, or end the file for some readers. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it has to match them
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The line that starts a program with its arguments, according to the Desktop Entry Specification:
 * each is quoted, then escaped as a value. Null if an argument cannot be written in one line.
 */
export function execLine(command: readonly string[]): string | null {
  if (command.some((part) => CONTROL.test(part))) return null;
  const quoted = command.map((part) => `"${part.replace(/["`$\\]/g, "\\$&").replace(/%/g, "%%")}"`);
  return `Exec=${quoted.join(" ").replace(/\\/g, "\\\\")}`;
}

/** A file in the person's autostart folder, which Linux desktops read at login. */
export function autostartFile(folder: string, command: readonly string[]): LoginStart | null {
  const exec = execLine(command);
  if (exec === null) return null;
  const file = join(folder, "consentry.desktop");
  const text = `${["[Desktop Entry]", "Type=Application", "Name=Consentry", exec, "Terminal=false"].join("\n")}\n`;
  return {
    /** If the file starts something else, or was disabled by the person elsewhere, it is off. */
    isOn() {
      const lines = linesOf(file);
      const isOff = ["Hidden=true", "X-GNOME-Autostart-enabled=false"];
      return lines.includes(exec) && !lines.some((line) => isOff.includes(line));
    },
    async set(on) {
      if (!on) return rm(file, { force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const aside = `${file}.new`;
      await writeFile(aside, text, { mode: 0o600 });
      await rename(aside, file);
    },
  };
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
