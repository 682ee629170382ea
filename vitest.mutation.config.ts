import { defineConfig } from "vitest/config";

/** For `npm run mutation`: the decisions' own tests, in workers that serve many runs. */
export default defineConfig({
  test: {
    include: ["app/{consent,execution,grants}/**/*.test.ts"],
    isolate: false,
    testTimeout: 20_000,
  },
});
