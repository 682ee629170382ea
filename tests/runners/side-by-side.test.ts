import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runSideBySide, runStep, type Step, stepReport } from "./side-by-side.ts";

const step = (title: string, script: string): Step => ({
  title,
  command: process.execPath,
  args: ["-e", script],
});
const env = { ...process.env };

it("reports all steps, also those beside one that fails", async () => {
  const ended: string[] = [];
  const results = await runSideBySide(
    [
      step("types", "console.error('no such type'); process.exit(1)"),
      step("lint", "console.log('fine')"),
      { title: "unused", command: "/no/such/program", args: [] },
    ],
    { env, colors: false, onEnd: ({ title }) => ended.push(title) },
  );
  expect(results.map(({ title, passed }) => [title, passed])).toEqual([
    ["types", false],
    ["lint", true],
    ["unused", false],
  ]);
  expect(results[0]?.output).toBe("no such type\n");
  expect(results[2]?.output).toContain("/no/such/program");
  expect(ended.toSorted()).toEqual(["lint", "types", "unused"]);
});

it("runs its steps at the same time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "consentry-side-"));
  // Each waits for the file that the other one writes.
  const meet = (own: string, other: string) =>
    `const { existsSync, writeFileSync } = require("node:fs");
     writeFileSync(${JSON.stringify(join(folder, own))}, "");
     const look = () => existsSync(${JSON.stringify(join(folder, other))}) || setTimeout(look, 5);
     look();`;
  const steps = [step("a", meet("a", "b")), step("b", meet("b", "a"))];
  const results = await runSideBySide(steps, { env, colors: false, onEnd: () => {} });
  expect(results.every(({ passed }) => passed)).toBe(true);
  rmSync(folder, { recursive: true });
});

it("shows what a failed step wrote, and of the others a line", () => {
  const result = { title: "types", passed: true, seconds: 1.25, output: "much\n" };
  expect(stepReport(result)).toBe("ok     types (1.3 s)");
  expect(stepReport({ ...result, passed: false })).toBe("FAILED types (1.3 s)\nmuch\n");
});

it.each([
  [false, "no such type\n"],
  [true, "\u001b[31mno such type\u001b[39m\n"],
])("has colors where a terminal shows them: %s", async (colors, output) => {
  const red = "console.log('\\u001b[31mno such type\\u001b[39m')";
  const [result] = await runSideBySide([step("types", red)], { env, colors, onEnd: () => {} });
  expect(result?.output).toBe(output);
});

it("gives way to others where it is told to, with all that it starts", async () => {
  const { PRIORITY_BELOW_NORMAL: priority } = constants.priority;
  const grandchild = `require("node:child_process").spawnSync(process.execPath,
    ["-p", "require('node:os').getPriority()"], { stdio: "inherit" })`;
  const { output } = await runStep(
    { ...step("unit", grandchild), priority },
    { env, colors: false },
  );
  expect(output).toBe(`${priority}\n`);
});
