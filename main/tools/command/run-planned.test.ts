import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failureOf } from "../testing/tool-context.ts";
import { pinFolder } from "./fence.ts";
import { type Plan, runPlanned } from "./run-planned.ts";
import { CommandHarness } from "./testing/command-harness.ts";

const conduct = {
  ...{ stdin: "", maxBytes: 1000, graceMs: 100, progress: () => {} },
  signal: new AbortController().signal,
};
const plan = (more: Partial<Plan>): Plan => ({
  ...{
    program: "/bin/sh",
    argv: [],
    env: {},
    cwd: "/",
    descriptors: [],
    reports: false,
    marker: "m",
  },
  ...more,
});

describe.skipIf(process.platform !== "linux")("a plan", () => {
  it("hands descriptors on as 3, 4 …, and the directory may be named by one of them", async () => {
    using harness = new CommandHarness();
    mkdirSync(harness.inside("dir"));
    await using root = await pinFolder(harness.root);
    await using dir = await pinFolder(harness.inside("dir"));
    const argv = ["-c", "pwd -P; readlink /proc/self/fd/3; readlink /proc/self/fd/4"];
    const descriptors = [root.fd ?? -1, dir.fd ?? -1];
    const ended = await runPlanned(plan({ argv, descriptors, cwd: "/proc/self/fd/4" }), conduct);
    expect(ended.stdout.toString().split("\n").slice(0, 3)).toEqual([
      dir.path,
      root.path,
      dir.path,
    ]);
  });

  it("has a line for reports after them", async () => {
    const ended = await runPlanned(plan({ argv: ["-c", "echo told >&3"], reports: true }), conduct);
    expect(ended.report).toBe("told\n");
  });

  it("that the system cannot start has a word", async () => {
    const start = (program: string) => failureOf(runPlanned(plan({ program }), conduct));
    expect(await start("/no/such/program")).toBe("program_not_found");
    expect(await start("/etc/passwd")).toBe("program_not_found");
    expect(await start("/usr")).toBe("program_not_found");
  });
});
