import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeVectors } from "./make-vectors.ts";

const folder = fileURLToPath(new URL("../../app/encryption/vectors/", import.meta.url));

describe("the vectors of end-to-end encryption", () => {
  it("are what the program makes today, byte for byte: the format has not moved", async () => {
    const files = await makeVectors();
    expect(readdirSync(folder).toSorted()).toEqual([...files.keys()].toSorted());
    for (const [name, text] of files) expect(readFileSync(folder + name, "utf8"), name).toBe(text);
  }, 120_000);
});
