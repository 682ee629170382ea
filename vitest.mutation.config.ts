import { defineConfig } from "vitest/config";

/** For `npm run mutation`: hundreds of runs, each of which would make its workers afresh. */
export default defineConfig({
  test: { include: ["app/{consent,execution,grants}/**/*.test.ts"], isolate: false },
});
