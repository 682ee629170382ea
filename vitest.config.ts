import { defineConfig } from "vitest/config";

const TESTS = "*.test.{ts,tsx}";
const NOT_TESTED = ["**/node_modules/**", "dist/**", "e2e/**", ".types/**"];
/** Their tests leave nothing behind: one process runs many files, and loads once what they share. */
const TOGETHER = `{app,hub,i18n,main/{channels,client},renderer,runtime,sdk}/**/${TESTS}`;

export default defineConfig({
  test: {
    globalSetup: "tests/runners/build-before-tests.ts",
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // What is looked for again and again comes in its own time on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    // Most tests wait for a disk, a socket or a child more than they compute.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: { name: "together", include: [TOGETHER], exclude: NOT_TESTED, isolate: false },
      },
      // These count their process's threads and handles, and change its environment.
      {
        extends: true,
        test: { name: "apart", include: [`**/${TESTS}`], exclude: [...NOT_TESTED, TOGETHER] },
      },
    ],
  },
});
