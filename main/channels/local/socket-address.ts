import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Unix socket paths end at 104 bytes on macOS, 108 on Linux. */
const SOCKET_PATH_MAX = 100;

/**
 * Where a socket of a data folder is: in the folder, which is private; in the folder for temporary
 * files where that path would be too long; a named pipe on Windows.
 * @param name the file's name without its ending
 */
export function socketAddress(dataDir: string, name: string): string {
  const digest = createHash("sha256").update(dataDir).digest("hex").slice(0, 24);
  if (process.platform === "win32") return `\\\\.\\pipe\\consentry-${pipeName(name)}${digest}`;
  const beside = join(dataDir, `${name}.sock`);
  if (Buffer.byteLength(beside) <= SOCKET_PATH_MAX) return beside;
  return join(tmpdir(), `consentry-${process.getuid?.() ?? 0}-${pipeName(name)}${digest}.sock`);
}

/** The first socket has had no name in these places, and programs of older versions look there. */
const pipeName = (name: string): string => (name === "instance" ? "" : `${name}-`);
