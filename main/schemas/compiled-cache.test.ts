import { expect, it } from "vitest";
import { CompiledCache } from "./compiled-cache.ts";

/** Which of the texts are made again: those that were dropped. */
function madeAgain(cache: CompiledCache<string>, texts: readonly string[]): readonly string[] {
  const made: string[] = [];
  for (const text of texts) {
    cache.get(text, () => {
      made.push(text);
      return text;
    });
  }
  return made;
}

it("drops what was used longest ago when there are too many", () => {
  const cache = new CompiledCache<string>(2, 1_000);
  expect(madeAgain(cache, ["a", "b", "a", "c"])).toEqual(["a", "b", "c"]);
  expect(madeAgain(cache, ["a", "c", "b"])).toEqual(["b"]);
});

it("drops what was used longest ago when together they are too large", () => {
  const cache = new CompiledCache<string>(10, 10);
  const large = "a".repeat(7);
  expect(madeAgain(cache, [large, "bbb", large, "c"])).toEqual([large, "bbb", "c"]);
  expect(madeAgain(cache, [large, "c", "bbb"])).toEqual(["bbb"]);
});

it("remembers what came to nothing", () => {
  const cache = new CompiledCache<undefined>(2, 10);
  let made = 0;
  const make = (): undefined => {
    made += 1;
  };
  for (let time = 0; time < 3; time += 1) cache.get("a", make);
  expect(made).toBe(1);
});
