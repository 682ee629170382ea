import { CLIPBOARD_MAX_CHARS } from "../../../app/contract/tools/clipboard.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { textOf } from "../text-of.ts";
import type { ClipboardService } from "./platform-services.ts";
import { type ProgramCall, programOutput, runProgram } from "./run-program.ts";

/** A program and its arguments; text is only passed through standard input and output. */
export type Command = readonly [program: string, ...argv: string[]];

export interface ClipboardPrograms {
  readonly read: Command;
  readonly write: Command;
}

type Env = Readonly<Record<string, string>>;
type Find = (name: string) => string | null;

/** UTF-8 needs at most three bytes for one UTF-16 unit. */
const OUTPUT_MAX_BYTES = 3 * CLIPBOARD_MAX_CHARS;

/** Linux and other free desktops: Wayland's programs, otherwise X11's. */
export function desktopClipboard(env: Env, find: Find): ClipboardPrograms | null {
  return (env.WAYLAND_DISPLAY && wayland(find)) || (env.DISPLAY && x11(find)) || null;
}

function wayland(find: Find): ClipboardPrograms | null {
  const copy = find("wl-copy");
  const paste = find("wl-paste");
  if (copy === null || paste === null) return null;
  return {
    read: [paste, "--no-newline", "--type", "text"],
    write: [copy, "--type", "text/plain;charset=utf-8"],
  };
}

function x11(find: Find): ClipboardPrograms | null {
  const xclip = find("xclip");
  if (xclip !== null) {
    return {
      read: [xclip, "-selection", "clipboard", "-out"],
      write: [xclip, "-selection", "clipboard", "-in"],
    };
  }
  const xsel = find("xsel");
  if (xsel === null) return null;
  return { read: [xsel, "--clipboard", "--output"], write: [xsel, "--clipboard", "--input"] };
}

export function macClipboard(find: Find): ClipboardPrograms | null {
  const copy = find("pbcopy");
  const paste = find("pbpaste");
  return copy === null || paste === null ? null : { read: [paste], write: [copy] };
}

export const POWERSHELL_ARGV = ["-NoProfile", "-NonInteractive", "-Command"] as const;
const POWERSHELL_UTF8 = "$utf8 = [Text.UTF8Encoding]::new($false);";

/**
 * The scripts are constants: text is passed through standard input and never becomes part of them.
 */
export function windowsClipboard(powershell: string): ClipboardPrograms {
  const read = `${POWERSHELL_UTF8} [Console]::OutputEncoding = $utf8; [Console]::Out.Write((Get-Clipboard -Raw))`;
  const write = `${POWERSHELL_UTF8} [Console]::InputEncoding = $utf8; Set-Clipboard -Value ([Console]::In.ReadToEnd())`;
  return {
    read: [powershell, ...POWERSHELL_ARGV, read],
    write: [powershell, ...POWERSHELL_ARGV, write],
  };
}

export function programClipboard(programs: ClipboardPrograms, env: Env): ClipboardService {
  return {
    async read(signal) {
      const text = textOf(
        await programOutput(callOf(programs.read, env), OUTPUT_MAX_BYTES, signal),
      );
      if (text === null) throw new ToolFailure("not_text");
      return text;
    },
    async write(text, signal) {
      await runProgram({ ...callOf(programs.write, env), stdin: text }, signal);
    },
  };
}

const callOf = ([program, ...argv]: Command, env: Env): ProgramCall => ({ program, argv, env });
