import { expect, test } from "vitest";
import { linkedFrameSockets } from "./frame-socket.ts";

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

test("a frame is delivered after send returned, in the order sent", async () => {
  const [left, right] = linkedFrameSockets();
  const seen: string[] = [];
  right.onFrame((text) => seen.push(text));
  left.send("a");
  left.send("b");
  expect(seen).toEqual([]);
  await settled();
  expect(seen).toEqual(["a", "b"]);
});

test("frames sent before anybody listens are kept, and the close comes after them", async () => {
  const [left, right] = linkedFrameSockets();
  const seen: (string | number)[] = [];
  left.send("early");
  left.close(4401);
  left.send("late");
  await settled();
  right.onClose((code) => seen.push(code));
  right.onFrame((text) => seen.push(text));
  await settled();
  expect(seen).toEqual(["early", 4401]);
});

test("closing tells both sides once, also a listener attached afterwards", async () => {
  const [left, right] = linkedFrameSockets();
  const seen: string[] = [];
  left.onClose((code) => seen.push(`left ${code}`));
  right.onClose((code) => seen.push(`right ${code}`));
  left.close();
  right.close(4400);
  await settled();
  right.onClose((code) => seen.push(`later ${code}`));
  await settled();
  expect(seen).toEqual(["left 1005", "right 1005", "later 1005"]);
});

test("a reply sent from inside a listener arrives too", async () => {
  const [left, right] = linkedFrameSockets();
  const seen: string[] = [];
  right.onFrame((text) => right.send(`${text}!`));
  left.onFrame((text) => seen.push(text));
  left.send("hey");
  await settled();
  expect(seen).toEqual(["hey!"]);
});
