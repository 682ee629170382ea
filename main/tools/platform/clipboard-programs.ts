import { CLIPBOARD_MAX_CHARS } from "../../../app/contract/tools/clipboard.ts";
import { CLIPBOARD_IMAGE_MAX_BASE64 } from "../../../app/contract/tools/clipboard-image-limits.ts";
import { toolFailure } from "../../../app/execution/ports.ts";
import { textOf } from "../text-of.ts";
import type { ClipboardImageService, ClipboardService } from "./platform-services.ts";
import { type ProgramCall, programFailed, programOutput, runProgram } from "./run-program.ts";

/** A program and its arguments; text is only passed through standard input and output. */
type Command = readonly [program: string, ...argv: string[]];

export interface ClipboardPrograms {
  readonly read: Command;
  readonly write: Command;
}

export type Env = Readonly<Record<string, string>>;
export type Find = (name: string) => string | null;

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

const POWERSHELL_ARGV = ["-NoProfile", "-NonInteractive", "-Command"] as const;
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
      if (text === null) throw toolFailure("not_text");
      return text;
    },
    async write(text, signal) {
      await runProgram({ ...callOf(programs.write, env), stdin: text }, signal);
    },
  };
}

const callOf = ([program, ...argv]: Command, env: Env): ProgramCall => ({ program, argv, env });

/** How an image is passed through standard input and output. */
type Carried = "bytes" | "base64";

interface ImagePrograms {
  /**
   * Prints the clipboard's types, one per line; null if `read` itself prints nothing when there is
   * no image.
   */
  readonly types: Command | null;
  readonly read: Command;
  readonly write: Command;
  readonly carried: Carried;
}

const PNG = "image/png";
/** Maximum bytes of the list of types; more than any desktop has. */
const TYPES_MAX_BYTES = 65_536;
/** Large enough that the tool can see that a PNG exceeds its limit; includes a newline. */
const IMAGE_OUTPUT_MAX_BYTES = CLIPBOARD_IMAGE_MAX_BASE64 + 2;

/** Linux and other free desktops: Wayland's programs, otherwise xclip. xsel handles text only. */
export function desktopImages(env: Env, find: Find): ImagePrograms | null {
  return (env.WAYLAND_DISPLAY && waylandImages(find)) || (env.DISPLAY && x11Images(find)) || null;
}

function waylandImages(find: Find): ImagePrograms | null {
  const copy = find("wl-copy");
  const paste = find("wl-paste");
  if (copy === null || paste === null) return null;
  return {
    types: [paste, "--list-types"],
    read: [paste, "--no-newline", "--type", PNG],
    write: [copy, "--type", PNG],
    carried: "bytes",
  };
}

function x11Images(find: Find): ImagePrograms | null {
  const xclip = find("xclip");
  if (xclip === null) return null;
  const selection = [xclip, "-selection", "clipboard", "-target"] as const;
  return {
    types: [...selection, "TARGETS", "-out"],
    read: [...selection, PNG, "-out"],
    write: [...selection, PNG, "-in"],
    carried: "bytes",
  };
}

/**
 * Scripts are constants: an image is passed through standard input and never becomes part of them.
 */
const MAC_READ = `ObjC.import("AppKit");
const board = $.NSPasteboard.generalPasteboard;
let png = board.dataForType("public.png");
if (png.isNil()) {
  const tiff = board.dataForType("public.tiff");
  if (!tiff.isNil()) png = $.NSBitmapImageRep.imageRepWithData(tiff).representationUsingTypeProperties(4, $());
}
png.isNil() ? "" : png.base64EncodedStringWithOptions(0).js;`;

const MAC_WRITE = `ObjC.import("AppKit");
const text = $.NSFileHandle.fileHandleWithStandardInput.readDataToEndOfFile;
const png = $.NSData.alloc.initWithBase64EncodedDataOptions(text, 0);
const board = $.NSPasteboard.generalPasteboard;
board.clearContents;
if (!board.setDataForType(png, "public.png")) throw 1;`;

export function macImages(find: Find): ImagePrograms | null {
  const osascript = find("osascript");
  if (osascript === null) return null;
  const run = (script: string): Command => [osascript, "-l", "JavaScript", "-e", script];
  return { types: null, read: run(MAC_READ), write: run(MAC_WRITE), carried: "base64" };
}

const WINDOWS_PARTS = "Add-Type -AssemblyName System.Windows.Forms, System.Drawing;";
const WINDOWS_READ = `${WINDOWS_PARTS} $image = [Windows.Forms.Clipboard]::GetImage();
if ($image -ne $null) { $png = [IO.MemoryStream]::new();
$image.Save($png, [Drawing.Imaging.ImageFormat]::Png);
[Console]::Out.Write([Convert]::ToBase64String($png.ToArray())) }`;
const WINDOWS_WRITE = `${WINDOWS_PARTS} $ErrorActionPreference = 'Stop';
$png = [IO.MemoryStream]::new([Convert]::FromBase64String([Console]::In.ReadToEnd()));
[Windows.Forms.Clipboard]::SetImage([Drawing.Image]::FromStream($png))`;

/** Windows' clipboard needs a single-threaded apartment. */
export function windowsImages(powershell: string): ImagePrograms {
  const run = (script: string): Command => [powershell, "-STA", ...POWERSHELL_ARGV, script];
  return { types: null, read: run(WINDOWS_READ), write: run(WINDOWS_WRITE), carried: "base64" };
}

export function programImages(programs: ImagePrograms, env: Env): ClipboardImageService {
  const call = ([program, ...argv]: Command): ProgramCall => ({ program, argv, env });
  return {
    async read(signal) {
      if (programs.types !== null && !(await holdsPng(call(programs.types), signal))) return null;
      const output = await programOutput(call(programs.read), IMAGE_OUTPUT_MAX_BYTES, signal);
      const bytes = programs.carried === "bytes" ? output : fromBase64(output);
      return bytes.byteLength === 0 ? null : bytes;
    },
    async write(png, signal) {
      const stdin = programs.carried === "bytes" ? png : Buffer.from(png).toString("base64");
      await runProgram({ ...call(programs.write), stdin }, signal);
    },
  };
}

/** These programs fail both when the clipboard is empty and when it cannot be reached. */
async function holdsPng(types: ProgramCall, signal: AbortSignal): Promise<boolean> {
  try {
    const output = await programOutput(types, TYPES_MAX_BYTES, signal);
    return output.toString("latin1").split("\n").includes(PNG);
  } catch (error) {
    if (programFailed.is(error)) return false;
    throw error;
  }
}

function fromBase64(output: Buffer): Buffer {
  const text = output.toString("latin1").trim();
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw toolFailure("not_an_image");
  return bytes;
}
