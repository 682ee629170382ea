import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: "scripts/build-before-tests.ts",
    include: ["**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "dist/**", "e2e/**", ".types/**"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // What is looked for again and again comes in its own time on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    // Most tests wait for a disk, a socket or a child more than they compute.
    maxWorkers: "100%",
  },
});
