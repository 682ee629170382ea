import { realClock } from "../../sdk/options.ts";

/** What a real hub needs to run in a test: memory, any free port, schemas taken on trust. */
export const testHubOptions = {
  databasePath: ":memory:",
  port: 0,
  clock: realClock,
  scheduler: realClock,
  random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)),
  checkSchema: async () => [],
};
