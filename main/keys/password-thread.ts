import { Worker } from "node:worker_threads";
import type { PasswordStrength } from "../../app/contract/password-words.ts";
import type { DerivePasswordKey } from "../../app/encryption/keyfile/key-file.ts";

export type PasswordJob =
  | { readonly kind: "derive"; readonly password: string; readonly salt: Uint8Array }
  | { readonly kind: "judge"; readonly password: string };

export interface PasswordTools {
  readonly deriveKey: DerivePasswordKey;
  readonly judge: (password: string) => Promise<PasswordStrength>;
}

/**
 * Argon2id and the strength of a password, computed on another thread so that nothing waits for it.
 * @param workerUrl `password-worker.ts` when run from source, the bundled one otherwise
 */
export const passwordThread = (workerUrl: URL): PasswordTools => ({
  deriveKey: (password, salt) => run<Uint8Array>(workerUrl, { kind: "derive", password, salt }),
  judge: (password) => run<PasswordStrength>(workerUrl, { kind: "judge", password }),
});

function run<Result>(workerUrl: URL, job: PasswordJob): Promise<Result> {
  const worker = new Worker(workerUrl, { workerData: job });
  return new Promise<Result>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the thread ended without an answer")));
  }).finally(() => worker.terminate());
}
