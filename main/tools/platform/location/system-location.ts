import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { toolFailure, toolUnavailable } from "../../../../app/execution/ports.ts";
import { systemBusAddress } from "../../../dbus/message-bus.ts";
import type { LocationService } from "../platform-services.ts";
import type { LocationAnswer, LocationFailureWord, LocationJob } from "./geoclue.ts";

export interface SystemLocationOptions {
  readonly workerUrl: URL;
  readonly os?: NodeJS.Platform;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether anything exists at an absolute path (the bus's socket). */
  readonly exists?: (path: string) => boolean;
}

/**
 * GeoClue on Linux and other free desktops, looked up at each call: null while there is no bus.
 * macOS and Windows give their location only to signed programs with their own window.
 */
export function systemLocation(options: SystemLocationOptions): () => LocationService | null {
  const { workerUrl, os = process.platform, env = process.env, exists = existsSync } = options;
  if (os === "darwin" || os === "win32") return () => null;
  return () => {
    const address = systemBusAddress({ env, exists });
    return address === null ? null : geoclueService(workerUrl, address);
  };
}

/**
 * Locations from GeoClue2 on a D-Bus system bus. Nothing is started or connected before the first
 * `find`, and nothing remains afterwards.
 * @param workerUrl `location-worker.ts`, or its build output
 */
export function geoclueService(workerUrl: URL, busAddress: string): LocationService {
  return {
    async find(accuracy, signal) {
      if (signal.aborted) throw toolFailure("cancelled");
      const job: LocationJob = { busAddress, accuracy };
      const answer = await answerOfThread(workerUrl, job, signal);
      if (!answer.ok) throw failureOf(answer.word);
      return answer.fix;
    },
  };
}

function failureOf(word: LocationFailureWord): Error {
  return word === "no_provider" ? toolUnavailable(word) : toolFailure(word);
}

/** The thread's only answer. Aborting ends the thread at once, and with it the connection. */
function answerOfThread(
  workerUrl: URL,
  workerData: LocationJob,
  signal: AbortSignal,
): Promise<LocationAnswer> {
  return new Promise((resolve, reject) => {
    // Its output is hidden: the package's warnings may quote what a peer sent.
    const options = { workerData, env: {}, execArgv: [], stdout: true, stderr: true };
    const worker = new Worker(workerUrl, options);
    worker.stdout.resume();
    worker.stderr.resume();
    const settle = (finish: () => void): void => {
      signal.removeEventListener("abort", stop);
      void worker.terminate();
      finish();
    };
    const stop = (): void => settle(() => reject(toolFailure("cancelled")));
    const broken = (): void => settle(() => reject(toolFailure("location_error")));
    signal.addEventListener("abort", stop, { once: true });
    worker.once("message", (answer: LocationAnswer) => settle(() => resolve(answer)));
    worker.once("error", broken);
    worker.once("exit", broken);
  });
}
