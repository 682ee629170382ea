import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../main/testing/scratch-folder.ts";
import { SHELLS, ShellBench } from "./shell-lines.ts";

const LINES = 400;

describe.skipIf(process.platform === "win32")("what a real shell starts", () => {
  it.each(SHELLS)(
    "is what reading the line says, whatever else stands in it: %s",
    async (shell) => {
      const bench = new ShellBench(scratchFolder());
      let ran = 0;
      await fc.assert(
        fc.asyncProperty(fc.integer(), async (seed) => {
          const tried = await bench.tryMade(shell, LINES, seed);
          expect(tried.unforeseen).toEqual([]);
          ran += tried.ran;
        }),
        { numRuns: 2, endOnFailure: true },
      );
      // Else nothing was tried.
      expect(ran).toBeGreaterThan(LINES / 10);
    },
  );

  it("is seen: a program that a line starts is written down", async () => {
    const bench = new ShellBench(scratchFolder());
    expect(await bench.started("/bin/sh", ["git 'a b' && echo $(evil x)", "ls"])).toEqual([
      [
        ["git", "a b"],
        ["evil", "x"],
      ],
      [["ls"]],
    ]);
  });
});
