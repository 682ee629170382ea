import { expect, it } from "vitest";
import { everySoOften, whileWatched } from "./walked-entries.ts";

it("tells what has changed whenever it looks, and looks no more after the end", async () => {
  const told: number[] = [];
  let look = (): void => undefined;
  let looking = true;
  const every = (_: number, run: () => void) => {
    look = run;
    return () => {
      looking = false;
    };
  };
  const result = await whileWatched(
    (entries) => told.push(entries),
    every,
    async (walked) => {
      for (const count of [0, 5, 5, 9]) {
        Atomics.store(walked, 0, count);
        look();
      }
      expect(looking).toBe(true);
      return "found";
    },
  );
  expect(result).toBe("found");
  expect(told).toEqual([5, 9]);
  expect(looking).toBe(false);
});

it("looks no more after a failure", async () => {
  let looking = true;
  const every = () => () => {
    looking = false;
  };
  const failing = whileWatched(
    () => {},
    every,
    () => Promise.reject(new RangeError("x")),
  );
  await expect(failing).rejects.toThrow(RangeError);
  expect(looking).toBe(false);
});

it("has a clock that goes round until it is ended, and keeps no program from ending", async () => {
  const before = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  let rounds = 0;
  await new Promise<void>((resolve) => {
    const end = everySoOften(1, () => {
      rounds += 1;
      if (rounds < 3) return;
      end();
      resolve();
    });
    const timers = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    expect(timers).toBe(before);
  });
  expect(rounds).toBe(3);
});
