import { mkdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolFailure } from "../../app/execution/ports.ts";
import { FileHouse } from "./testing/file-house.ts";

let house: FileHouse;

beforeEach(() => {
  house = new FileHouse();
});

afterEach(() => house.remove());

describe("while another program swaps the parent folder with a link to the outside", () => {
  it("never leaves the root, and still reads what is inside", (ctx) => {
    if (process.platform !== "linux") return ctx.skip("only Linux can promise this");
    mkdirSync(house.inside("swap"));
    mkdirSync(house.beside("bait"));
    writeFileSync(house.inside("swap", "f"), "inside");
    writeFileSync(house.beside("bait", "f"), "outside");
    writeFileSync(house.beside("bait", "g"), "outside");
    const ended = house.meanwhile(
      `while (Date.now() < end) {
         fs.renameSync(dir, away); fs.symlinkSync(bait, dir);
         fs.unlinkSync(dir); fs.renameSync(away, dir);
       }`,
      { dir: house.inside("swap"), away: house.inside("away"), bait: house.beside("bait") },
      4000,
    );
    const seen = new Map<string, number>();
    const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    while (!ended()) {
      for (let turn = 0; turn < 50; turn += 1) {
        count(attempt(() => house.text(house.inside("swap", "f"))));
        count(attempt(() => `entries:${house.list(house.inside("swap")).length}`));
      }
    }
    expect(seen.get("outside")).toBeUndefined();
    expect(seen.get("entries:2")).toBeUndefined();
    expect(seen.get("inside")).toBeGreaterThan(0);
    const expected = ["inside", "entries:1", "not_found", "not_a_directory"];
    expect([...seen.keys()].filter((what) => !expected.includes(what))).toEqual([]);
    // Without a refusal there was no race, and the test would have shown nothing.
    expect(seen.get("not_a_directory")).toBeGreaterThan(0);
  });

  const attempt = (work: () => string): string => {
    try {
      return work();
    } catch (error) {
      return error instanceof ToolFailure ? error.word : String(error);
    }
  };
});
