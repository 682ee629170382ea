import { closeSync, ftruncateSync, openSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { READ_FILE_MAX_BYTES } from "../../../app/contract/tools/read-file.ts";
import { readSlice } from "../read-file.ts";
import { FileHarness } from "./testing/file-harness.ts";

const harness = FileHarness.forEachTest();

describe("slices", () => {
  it("reads parts of a 5 GB file by offset and refuses it whole", () => {
    const path = harness.inside("huge");
    const fd = openSync(path, "w");
    ftruncateSync(fd, 5 * 1024 ** 3);
    closeSync(fd);
    expect(harness.readWord(path)).toBe("too_large");
    const far = 5 * 1024 ** 3 - 10;
    const slice = readSlice(harness.job(path, { offset: far, length: 100 }));
    expect(slice.length).toBe(10);
    expect(slice).toMatchObject({ size_bytes: 5 * 1024 ** 3, end_of_file: true });
    const first = readSlice(harness.job(path, { length: READ_FILE_MAX_BYTES }));
    expect(first.length).toBe(READ_FILE_MAX_BYTES);
    expect(first.end_of_file).toBe(false);
  });

  it("takes a file of exactly the limit and refuses one byte more", () => {
    writeFileSync(harness.inside("fits"), Buffer.alloc(READ_FILE_MAX_BYTES, 65));
    writeFileSync(harness.inside("over"), Buffer.alloc(READ_FILE_MAX_BYTES + 1, 65));
    expect(harness.text(harness.inside("fits")).length).toBe(READ_FILE_MAX_BYTES);
    expect(harness.readWord(harness.inside("over"))).toBe("too_large");
    expect(harness.text(harness.inside("over"), { offset: 1 }).length).toBe(READ_FILE_MAX_BYTES);
    expect(harness.readWord(harness.inside("over"), { length: READ_FILE_MAX_BYTES + 1 })).toBe(
      "too_large",
    );
  });

  it("gives nothing at and past the end, and knows it is the end", () => {
    for (const offset of [6, 7, Number.MAX_SAFE_INTEGER]) {
      const slice = readSlice(harness.job(harness.inside("file.txt"), { offset }));
      expect(slice.length).toBe(0);
      expect(slice.end_of_file).toBe(true);
    }
  });

  it("tells whether something follows", () => {
    const path = harness.inside("file.txt");
    expect(readSlice(harness.job(path, { length: 5 })).end_of_file).toBe(false);
    expect(readSlice(harness.job(path, { length: 6 })).end_of_file).toBe(true);
    expect(readSlice(harness.job(path, { length: 0 })).end_of_file).toBe(false);
  });

  it("refuses other bytes and half characters as text, and takes them as base64", () => {
    writeFileSync(harness.inside("latin1"), Buffer.from([0x63, 0xe9]));
    writeFileSync(harness.inside("word"), "né");
    expect(harness.readWord(harness.inside("latin1"))).toBe("not_text");
    expect(harness.readWord(harness.inside("word"), { length: 2 })).toBe("not_text");
    const slice = readSlice(harness.job(harness.inside("word"), { length: 2, encoding: "base64" }));
    expect([...Buffer.from(slice.content, "base64")]).toEqual([0x6e, 0xc3]);
  });

  it("reads a file that another program keeps growing and cutting, without ever failing", () => {
    const path = harness.inside("moving");
    writeFileSync(path, "x".repeat(1000));
    const ended = harness.meanwhile(
      `
      for (let i = 0; Date.now() < end; i += 1) {
        if (i % 50 === 49) fs.truncateSync(path, 10); else fs.appendFileSync(path, "x".repeat(997));
      }`,
      { path },
      700,
    );
    let reads = 0;
    while (!ended()) {
      const { content, size_bytes, end_of_file } = readSlice(harness.job(path));
      // Where a file is being cut, a reader may see zeros.
      expect(content).toMatch(/^[x\0]*$/);
      expect(end_of_file).toBe(content.length >= size_bytes);
      reads += 1;
    }
    expect(reads).toBeGreaterThan(10);
  });
});
