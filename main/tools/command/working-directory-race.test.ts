import { fork } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pinFolder } from "./fence.ts";
import { CommandHarness } from "./testing/command-harness.ts";
import { WAYS } from "./testing/ways.ts";

const LINUX = process.platform === "linux";
/** Replaces the folder by a link and puts it back, over and over until it is killed. */
const SWAPPER = `const { renameSync, rmSync, symlinkSync } = require("node:fs");
  const [dir, aside, target] = process.argv.slice(2);
  const swap = () => {
    try {
      renameSync(dir, aside);
      symlinkSync(target, dir);
      rmSync(dir);
      renameSync(aside, dir);
    } catch {}
    setImmediate(swap);
  };
  process.send("swapping", swap);`;

describe.skipIf(!LINUX)("a working directory", () => {
  it("that is pinned stays itself when its path comes to mean another", async () => {
    using harness = new CommandHarness();
    mkdirSync(harness.inside("dir"));
    writeFileSync(harness.inside("dir", "mine"), "");
    await using pinned = await pinFolder(harness.inside("dir"));
    renameSync(harness.inside("dir"), harness.inside("aside"));
    symlinkSync(harness.data, harness.inside("dir"));
    expect(readdirSync(`/proc/self/fd/${pinned.fd}`)).toEqual(["mine"]);
  });

  it("is not pinned through a link, nor where it is none", async () => {
    using harness = new CommandHarness();
    symlinkSync(harness.data, harness.inside("link"));
    mkdirSync(harness.inside("dir"));
    writeFileSync(harness.inside("file"), "");
    symlinkSync(harness.inside("dir"), harness.inside("inner"));
    for (const path of [harness.inside("link"), harness.inside("inner"), harness.inside("file")]) {
      await expect(pinFolder(path)).rejects.toMatchObject({ code: "not_a_directory" });
    }
    await expect(pinFolder("/proc/self")).rejects.toMatchObject({ code: "not_a_directory" });
    await expect(pinFolder("/proc/1")).rejects.toMatchObject({ code: "outside_roots" });
  });

  it.each(WAYS)(
    "that others swap for a link is where the command runs, $way",
    async ({ options }) => {
      using harness = new CommandHarness(options);
      const [dir, elsewhere] = [
        harness.inside("dir"),
        options.probe === null ? harness.inside("elsewhere") : join(harness.base, "elsewhere"),
      ];
      for (const each of [dir, elsewhere]) mkdirSync(each);
      writeFileSync(harness.inside("swap.cjs"), SWAPPER);
      const swapper = fork(harness.inside("swap.cjs"), [dir, harness.inside("aside"), elsewhere]);
      const ended = new Promise((resolve) => swapper.once("close", resolve));
      await new Promise((resolve) => swapper.once("message", resolve));
      let ran = 0;
      try {
        // Some calls meet the link and are refused; those that run must not run where it points.
        for (let time = 0; time < 60 || ran === 0; time += 1) {
          const done = await harness.run(["touch", "here"], { directory: dir }).catch(() => null);
          if (done?.exit_code === 0) ran += 1;
        }
      } finally {
        swapper.kill("SIGKILL");
        await ended;
      }
      expect(existsSync(join(elsewhere, "here"))).toBe(false);
    },
  );
});
