import { existsSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "../../../app/contract/digest.ts";

/** Unix socket paths end at 104 bytes on macOS, 108 on Linux. */
const SOCKET_PATH_MAX = 100;

/**
 * Where a socket of a data folder is: in the folder, which is private; in the folder for temporary
 * files where that path would be too long; a named pipe on Windows.
 * @param name the file's name without its ending
 */
export function socketAddress(dataDir: string, name: string): string {
  const digest = () => sha256Hex(dataDir).slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\consentry-${name}-${digest()}`;
  const beside = join(dataDir, `${name}.sock`);
  if (Buffer.byteLength(beside) <= SOCKET_PATH_MAX) return beside;
  return join(tmpdir(), `consentry-${process.getuid?.() ?? 0}-${name}-${digest()}.sock`);
}

/** The names of the private sockets in the data folder: for MCP clients, and for hooks. */
export const LOCAL_SOCKET = "local";
export const HOOK_SOCKET = "hooks";

/**
 * Listens where only this account can connect (0600). To be called by the holder of the instance lock
 * only: what stands at the address then belongs to a process that is gone.
 * Rejects with what the system says.
 */
export function listenPrivately(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const mask = process.umask(0o177);
    try {
      if (process.platform !== "win32" && existsSync(address)) rmSync(address);
      server.listen(address, () => {
        server.off("error", reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}
