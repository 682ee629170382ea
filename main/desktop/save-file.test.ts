import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import type { OutgoingFile } from "../client/host-port.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";
import { saveFile } from "./folder-dialog.ts";

const scratch = ScratchFolder.forEachTest();

const fileOf = (...parts: readonly string[]): OutgoingFile => ({
  name: "log.csv",
  mediaType: "text/csv",
  async *open() {
    for (const part of parts) yield new TextEncoder().encode(part);
  },
});

it("writes the file where the person said", async () => {
  const asked: string[] = [];
  const deliver = saveFile(async (name) => {
    asked.push(name);
    return join(scratch.base, "mine.csv");
  });
  expect(await deliver(fileOf("one", "two"))).toEqual({ kind: "saved" });
  expect(await deliver(fileOf("three"))).toEqual({ kind: "saved" });
  expect(asked).toEqual(["log.csv", "log.csv"]);
  expect(readFileSync(join(scratch.base, "mine.csv"), "utf8")).toBe("three");
});

it("opens nothing when the person cancels", async () => {
  const file = fileOf();
  const opened: string[] = [];
  const watched: OutgoingFile = {
    ...file,
    open(signal) {
      opened.push(file.name);
      return file.open(signal);
    },
  };
  expect(await saveFile(async () => null)(watched)).toEqual({ kind: "cancelled" });
  expect(opened).toEqual([]);
});

it("leaves nothing of a file that could not be written to its end", async () => {
  const broken: OutgoingFile = {
    ...fileOf(),
    async *open() {
      yield new Uint8Array(10);
      throw new Error("the log went away");
    },
  };
  const deliver = saveFile(async () => join(scratch.base, "mine.csv"));
  await expect(deliver(broken)).rejects.toThrow("the log went away");
  expect(readdirSync(scratch.base)).toEqual([]);
});

it("says when the place cannot be written", async () => {
  const deliver = saveFile(async () => join(scratch.base, "no/such/place.csv"));
  await expect(deliver(fileOf("x"))).rejects.toEqual(bridgeError("file_unwritable"));
});
