import { parentPort, workerData } from "node:worker_threads";
import { assertNever } from "../../app/contract/assert-never.ts";
import { derivePasswordKey } from "../../app/encryption/keyfile/key-file.ts";
import type { PasswordJob } from "./password-thread.ts";

/** Handles one job and ends, which releases its memory at once. */
const job: PasswordJob = workerData;
parentPort?.postMessage(await answer());

async function answer(): Promise<unknown> {
  switch (job.kind) {
    case "derive":
      return derivePasswordKey(job.password, job.salt);
    case "judge": {
      const { passwordStrength } = await import("../../app/contract/password-strength.ts");
      return passwordStrength(job.password);
    }
    default:
      return assertNever(job);
  }
}
