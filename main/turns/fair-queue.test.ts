import { expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

const queueOf = (...items: readonly string[]): FairQueue<string> => {
  const queue = new FairQueue<string>();
  for (const item of items) queue.add(item.slice(0, 1), item);
  return queue;
};

it("lets owners take turns and keeps each owner's own order", () => {
  expect([...queueOf("a1", "a2", "a3", "b1", "c1", "b2").drain()]).toEqual([
    "a1",
    "b1",
    "c1",
    "a2",
    "b2",
    "a3",
  ]);
});

it("forgets what was removed", () => {
  const queue = queueOf("a1", "a2", "b1");
  queue.remove("a", "a1");
  queue.remove("b", "b1");
  expect([...queue.drain()]).toEqual(["a2"]);
  expect(queue.take()).toBeUndefined();
});

it("passes over an owner who is busy, without losing that owner's place", () => {
  const queue = queueOf("a1", "b1", "b2");
  expect(queue.take((owner) => owner === "a")).toBe("b1");
  expect(queue.take(() => true)).toBeUndefined();
  expect([...queue.drain()]).toEqual(["a1", "b2"]);
});
