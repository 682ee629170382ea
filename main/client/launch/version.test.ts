import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VERSION } from "./version.ts";

it("the version the program shows is the package's", () => {
  const file = new URL("../../../package.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8")).version).toBe(VERSION);
});
