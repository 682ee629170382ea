import { expect, test } from "vitest";
import { folderPicker } from "./folder-dialog.ts";

const never = () => new AbortController().signal;

test("gives the one folder that was chosen, or none, from where it was told to begin", async () => {
  const starts: (string | null)[] = [];
  const picker = folderPicker(async (startAt) => {
    starts.push(startAt);
    return startAt === null ? [] : [`${startAt}/notes`];
  });
  expect(await picker.pick("/home/ada", never())).toBe("/home/ada/notes");
  expect(await picker.pick(null, never())).toBeNull();
  expect(starts).toEqual(["/home/ada", null]);
});

test("one dialog is open at a time, and the next may open after it", async () => {
  const answers: ((paths: readonly string[]) => void)[] = [];
  const picker = folderPicker(() => new Promise((resolve) => answers.push(resolve)));
  const first = picker.pick(null, never());
  expect(await picker.pick(null, never())).toBeNull();
  expect(answers).toHaveLength(1);
  answers[0]?.(["/a"]);
  expect(await first).toBe("/a");
  const second = picker.pick(null, never());
  answers[1]?.(["/b"]);
  expect(await second).toBe("/b");
});

test("aborting ends it at once, opens nothing afterwards and blocks no later one", async () => {
  let dialogs = 0;
  const picker = folderPicker(() => {
    dialogs += 1;
    return new Promise(() => {});
  });
  const cancelled = { name: "ToolFailure", code: "cancelled" };
  for (let n = 0; n < 3; n += 1) {
    const abort = new AbortController();
    const picking = picker.pick(null, abort.signal);
    abort.abort();
    await expect(picking).rejects.toMatchObject(cancelled);
  }
  await expect(picker.pick(null, AbortSignal.abort())).rejects.toMatchObject(cancelled);
  expect(dialogs).toBe(3);
});

test("a dialog that fails blocks no later one", async () => {
  const results = [Promise.reject(new Error("no display")), Promise.resolve(["/a"])];
  const picker = folderPicker(() => results.shift() ?? Promise.resolve([]));
  await expect(picker.pick(null, never())).rejects.toThrow();
  expect(await picker.pick(null, never())).toBe("/a");
});
