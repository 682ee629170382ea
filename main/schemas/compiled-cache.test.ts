import { expect, it } from "vitest";
import { CompiledCache } from "./compiled-cache.ts";

it("drops what was used longest ago when there are too many", () => {
  const cache = new CompiledCache(2, 1_000);
  cache.set("a", undefined, 1);
  cache.set("b", undefined, 1);
  cache.get("a");
  cache.set("c", undefined, 1);
  expect(["a", "b", "c"].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
});

it("drops what was used longest ago when together they are too large", () => {
  const cache = new CompiledCache(10, 10);
  cache.set("a", undefined, 6);
  cache.set("b", undefined, 3);
  cache.set("a", undefined, 7);
  cache.set("c", undefined, 1);
  expect(["a", "b", "c"].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
});
