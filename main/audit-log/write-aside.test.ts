import { readFileSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { ScratchLog } from "./testing/scratch-log.ts";
import { writeAside } from "./write-aside.ts";

const log = ScratchLog.forEachTest();

describe("writing a file", () => {
  const chunks = async function* (text: string) {
    yield new TextEncoder().encode(text);
  };

  it("never takes another's place unless it is told to", async () => {
    const file = log.path("there.csv");
    await writeAside(file, chunks("first"), { replace: false });
    await expect(writeAside(file, chunks("second"), { replace: false })).rejects.toMatchObject({
      code: "file_exists",
    });
    expect(readFileSync(file, "utf8")).toBe("first");
    await writeAside(file, chunks("third"), { replace: true });
    expect(readFileSync(file, "utf8")).toBe("third");
    expect(await readdir(log.base)).toEqual(["there.csv"]);
  });

  it.skipIf(process.platform === "win32")("lets only its owner read it", async () => {
    const file = log.path("mine.csv");
    await writeAside(file, chunks("x"), { replace: false });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("says when the place cannot be written", async () => {
    const file = log.path("no/such/folder");
    await expect(writeAside(file, chunks("x"), { replace: false })).rejects.toMatchObject({
      code: "file_unwritable",
    });
  });
});
