import type { ServerResponse } from "node:http";

/** At once where it is closed already: a response says so only once. */
export function onceClosed(response: ServerResponse, run: () => void): void {
  if (response.destroyed) run();
  else response.once("close", run);
}
