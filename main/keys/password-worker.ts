import { parentPort, workerData } from "node:worker_threads";
import { derivePasswordKey } from "../../app/encryption/keyfile/password-key.ts";
import type { PasswordJob } from "./password-thread.ts";

/** One derivation and the end: Argon2id takes seconds, and its memory should go at once. */
const { password, salt }: PasswordJob = workerData;
parentPort?.postMessage(derivePasswordKey(password, salt));
