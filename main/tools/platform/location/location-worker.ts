import { parentPort, workerData } from "node:worker_threads";
import { openBus } from "../../../dbus/open-bus.ts";
import {
  findWithGeoclue,
  type LocationAnswer,
  type LocationJob,
  locationFailure,
} from "./geoclue.ts";

/**
 * The thread that finds one location and ends. It owns the bus connection: whatever the connection
 * or a peer does, ending the thread ends it.
 */

/** After this many milliseconds no location will come; a call's own limit is usually shorter. */
const FIND_MS = 120_000;

async function answer(job: LocationJob): Promise<LocationAnswer> {
  try {
    const bus = openBus(job.busAddress);
    const fix = await Promise.race([findWithGeoclue(bus, job.accuracy), tooLate()]);
    return { ok: true, fix };
  } catch (error) {
    return { ok: false, word: locationFailure.is(error) ? error.code : "location_error" };
  }
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => {
    // Does not keep the thread alive: if the bus goes away, nothing else is left and it ends at
    // once.
    setTimeout(() => reject(locationFailure("no_fix")), FIND_MS).unref();
  });
}

// Created by `geoclue-service.ts`, which uses the same interface.
void answer(workerData as LocationJob).then((found) => parentPort?.postMessage(found));
