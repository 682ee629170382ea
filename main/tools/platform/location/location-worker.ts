import { parentPort, workerData } from "node:worker_threads";
import { openBus } from "../../../dbus/open-bus.ts";
import { findWithGeoclue } from "./geoclue.ts";
import { type LocationAnswer, LocationFailure, type LocationJob } from "./location-answer.ts";

/**
 * The thread that finds one location and ends. It has the bus connection to itself: however the
 * connection or a peer behaves, ending the thread ends it.
 */

/** Milliseconds after which no location will come; a call's own limit is mostly shorter. */
const FIND_MS = 120_000;

async function answer(job: LocationJob): Promise<LocationAnswer> {
  try {
    const bus = openBus(job.busAddress);
    const fix = await Promise.race([findWithGeoclue(bus, job.accuracy), tooLate()]);
    return { ok: true, fix };
  } catch (error) {
    return { ok: false, word: error instanceof LocationFailure ? error.word : "location_error" };
  }
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => {
    // Does not hold the thread: when the bus goes away nothing else is left, and it ends at once.
    setTimeout(() => reject(new LocationFailure("no_fix")), FIND_MS).unref();
  });
}

// Made by `geoclue-service.ts`, which is typed by the same interface.
void answer(workerData as LocationJob).then((found) => parentPort?.postMessage(found));
