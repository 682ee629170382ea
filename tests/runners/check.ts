import { runSideBySide, type Step, stepReport } from "./side-by-side.ts";

/** What reads the sources without running them. */
export const CHECKS: readonly Step[] = [
  { title: "types", command: "tsc", args: ["-b"] },
  { title: "lint and format", command: "biome", args: ["ci", "."] },
  { title: "unused exports and files", command: "knip", args: ["--no-progress"] },
];

if (import.meta.main) {
  const results = await runSideBySide(CHECKS, {
    env: process.env,
    colors: process.stdout.isTTY,
    onEnd: (result) => console.log(stepReport(result)),
  });
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
}
