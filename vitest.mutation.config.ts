import { defineConfig } from "vitest/config";

/**
 * For `npm run mutation`: the decisions' own tests, in workers that serve many runs. Many a mutant
 * leaves a call waiting for ever, so a test has Vitest's usual five seconds, not what a disk may need.
 */
export default defineConfig({
  test: { include: ["app/{consent,execution,grants}/**/*.test.ts"], isolate: false },
});
