/**
 * Which names are plain files on Windows. All others are a device, a stream, an alias of another
 * name or invalid, and never reach the file system (docs/threat-model.md).
 */
export function isWindowsNameSafe(name: string): boolean {
  if (name === "" || name.length > 255) return false;
  // Win32 drops trailing dots and spaces, so `x.` is another spelling of `x`; this also covers `.`
  // and `..`.
  if (/[. ]$/u.test(name)) return false;
  if (FORBIDDEN.test(name)) return false;
  if (SHORT_NAME.test(name)) return false;
  return !DEVICES.has(deviceStem(name));
}

/** Control characters, stream separators, wildcards and what Win32 reserves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f:"<>|?*\\/]/u;

/** `PROGRA~1`, `DOCUME~1.TXT`: generated aliases of names spelled differently. */
const SHORT_NAME = /~\d+(\.[^.]*)?$/u;

const PORT_DIGITS = [..."0123456789¹²³"];
const DEVICES: ReadonlySet<string> = new Set([
  "con",
  "prn",
  "aux",
  "nul",
  "conin$",
  "conout$",
  "clock$",
  ...PORT_DIGITS.map((digit) => `com${digit}`),
  ...PORT_DIGITS.map((digit) => `lpt${digit}`),
]);

/** `NUL .tar.gz` opens the device: only the part before the first dot counts. */
function deviceStem(name: string): string {
  const stem = name.split(".", 1)[0] ?? "";
  return stem.trimEnd().toLowerCase();
}
