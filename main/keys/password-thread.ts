import { Worker } from "node:worker_threads";
import type { DerivePasswordKey } from "../../app/encryption/keyfile/password-key.ts";

export interface PasswordJob {
  readonly password: string;
  readonly salt: Uint8Array;
}

/**
 * Argon2id off this thread, so that nothing waits for it.
 * @param workerUrl `password-worker.ts` when run from source, the bundled one otherwise
 */
export const passwordThread =
  (workerUrl: URL): DerivePasswordKey =>
  (password, salt) => {
    const job: PasswordJob = { password, salt };
    const worker = new Worker(workerUrl, { workerData: job });
    return new Promise<Uint8Array>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the thread ended without a key")));
    }).finally(() => worker.terminate());
  };
