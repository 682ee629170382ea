import { setImmediate } from "node:timers";

/** Runs a job in the next turn of the event loop. */
export const later = (job: () => void): void => void setImmediate(job);
