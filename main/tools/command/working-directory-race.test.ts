import { fork } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { thisMachine } from "./machine.ts";
import { pinFolder } from "./pinned-folder.ts";
import { SandboxProbe } from "./sandbox-probe.ts";
import { CommandHouse } from "./testing/command-house.ts";

const LINUX = process.platform === "linux";
const probe = new SandboxProbe(thisMachine(), tmpdir());
const sandbox = (await probe.best())?.kind ?? null;
const WAYS = [
  { way: "without a sandbox", options: { probe: null } },
  ...(sandbox === null ? [] : [{ way: `in ${sandbox}`, options: { probe } }]),
];

/** Puts a link in the folder's place and the folder back, until it is killed. */
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
    using house = new CommandHouse();
    mkdirSync(house.inside("dir"));
    writeFileSync(house.inside("dir", "mine"), "");
    await using pinned = await pinFolder(house.inside("dir"));
    renameSync(house.inside("dir"), house.inside("aside"));
    symlinkSync(house.data, house.inside("dir"));
    expect(readdirSync(`/proc/self/fd/${pinned.fd}`)).toEqual(["mine"]);
  });

  it("is not pinned through a link, nor where it is none", async () => {
    using house = new CommandHouse();
    symlinkSync(house.data, house.inside("link"));
    mkdirSync(house.inside("dir"));
    writeFileSync(house.inside("file"), "");
    symlinkSync(house.inside("dir"), house.inside("inner"));
    for (const path of [house.inside("link"), house.inside("inner"), house.inside("file")]) {
      await expect(pinFolder(path)).rejects.toMatchObject({ word: "not_a_directory" });
    }
    await expect(pinFolder("/proc/self")).rejects.toMatchObject({ word: "not_a_directory" });
    await expect(pinFolder("/proc/1")).rejects.toMatchObject({ word: "outside_roots" });
  });

  it.each(WAYS)(
    "that others swap for a link is where the command runs, $way",
    async ({ options }) => {
      using house = new CommandHouse(options);
      const [dir, elsewhere] = [
        house.inside("dir"),
        options.probe === null ? house.inside("elsewhere") : join(house.base, "elsewhere"),
      ];
      for (const each of [dir, elsewhere]) mkdirSync(each);
      writeFileSync(house.inside("swap.cjs"), SWAPPER);
      const swapper = fork(house.inside("swap.cjs"), [dir, house.inside("aside"), elsewhere]);
      const ended = new Promise((resolve) => swapper.once("close", resolve));
      await new Promise((resolve) => swapper.once("message", resolve));
      let ran = 0;
      try {
        // Some find the link and are refused; those that run must not run where the link leads.
        for (let time = 0; time < 60 || ran === 0; time += 1) {
          const done = await house.run(["touch", "here"], { directory: dir }).catch(() => null);
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
