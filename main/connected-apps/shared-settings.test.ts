import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { AppComputer, OTHERS } from "./testing/app-computer.ts";

const computer = AppComputer.forEachTest();

it("tools and hook in one file come and go without each other", () => {
  const file = computer.install("gemini", OTHERS.json);
  computer.make("gemini");
  computer.make("gemini", true, "hook");
  computer.make("gemini", false);
  expect([computer.stateOf("gemini"), computer.stateOf("gemini", "hook")]).toEqual([
    "not_connected",
    "connected",
  ]);
  computer.make("gemini", false, "hook");
  expect(readFileSync(file, "utf8")).not.toContain("/opt");
});

const ORDERS = [
  ["tools", "hook"],
  ["hook", "tools"],
] as const;
it.each(ORDERS.flatMap((entered) => ORDERS.map((taken) => [entered, taken] as const)))(
  "%j entered and %j taken out leave a file with both as it was",
  (entered, taken) => {
    for (const original of ['{"theme":"Dark"}', "", undefined]) {
      rmSync(computer.fileOf("gemini"), { force: true });
      const file = computer.install("gemini", original);
      for (const part of entered) computer.make("gemini", true, part);
      if (original !== undefined) {
        expect(readFileSync(`${file}.before-consentry`, "utf8")).toBe(original);
      }
      for (const part of taken) computer.make("gemini", false, part);
      expect(existsSync(file) ? readFileSync(file, "utf8") : undefined).toBe(original);
    }
  },
);

it("what was changed between two entries of ours stays when both are taken out", () => {
  for (const taken of ORDERS) {
    const file = computer.install("gemini", OTHERS.json);
    computer.make("gemini");
    writeFileSync(file, readFileSync(file, "utf8").replace("mine", "mine, later"));
    computer.make("gemini", true, "hook");
    for (const part of taken) computer.make("gemini", false, part);
    expect(readFileSync(file, "utf8")).toContain("mine, later");
    expect(readFileSync(file, "utf8")).not.toContain("/opt");
  }
});

it("nothing of ours comes back with the file of before, which a later change of ours replaced", () => {
  const file = computer.install("gemini", OTHERS.json);
  computer.make("gemini");
  computer.make("gemini", true, "hook");
  computer.make("gemini", false, "hook");
  computer.make("gemini", false);
  expect(computer.stateOf("gemini")).toBe("not_connected");
  expect(readFileSync(file, "utf8")).toContain("mine");
});
