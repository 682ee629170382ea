import { existsSync, rmSync } from "node:fs";
import type { Server } from "node:net";

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
