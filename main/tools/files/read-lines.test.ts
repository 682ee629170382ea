import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  READ_FILE_MAX_BYTES,
  READ_FILE_MAX_SCAN_BYTES,
} from "../../../app/contract/tools/read-file.ts";
import { FileHarness, wordOf } from "./testing/file-harness.ts";

const harness = FileHarness.forEachTest();

const file = (content: string | Uint8Array): string => {
  writeFileSync(harness.inside("f"), content);
  return harness.inside("f");
};

const told = (path: string, start: number, count?: number) => {
  const {
    content: text,
    offset,
    lines,
    size_bytes,
    end_of_file,
  } = harness.lines(path, start, count);
  return { text, offset, lines, size_bytes, end_of_file };
};

const word = (path: string, start = 1, count?: number): string =>
  wordOf(() => harness.lines(path, start, count));

describe("lines", () => {
  it("are given with their ends, from where they begin", () => {
    const path = file("one\ntwo\r\n\nfour");
    const size_bytes = 14;
    expect(told(path, 2, 2)).toEqual({
      text: "two\r\n\n",
      offset: 4,
      lines: 2,
      size_bytes,
      end_of_file: false,
    });
    expect(told(path, 4)).toMatchObject({ text: "four", offset: 10, lines: 1, end_of_file: true });
    expect(told(path, 1)).toMatchObject({ text: "one\ntwo\r\n\nfour", lines: 4 });
    expect(told(path, 5)).toMatchObject({ text: "", offset: 14, lines: 0, end_of_file: true });
    expect(told(path, 9, 1)).toMatchObject({ text: "", lines: 0, end_of_file: true });
  });

  it("are what splitting the text gives, wherever the pieces of the file end", () => {
    const line = fc.string({ maxLength: 20, unit: fc.constantFrom("a", "é", "\r", "\u{1f600}") });
    const lines = fc.array(line, { maxLength: 30 });
    fc.assert(
      fc.property(lines, fc.nat(32), fc.integer({ min: 1, max: 32 }), (some, skip, count) => {
        const text = some.join("\n");
        const all = text.split(/(?<=\n)/u).filter((each) => each !== "");
        const wanted = all.slice(skip, skip + count);
        const found = told(file(text), skip + 1, count);
        expect(found.text).toBe(wanted.join(""));
        expect(found.lines).toBe(wanted.length);
        expect(found.offset).toBe(Buffer.byteLength(all.slice(0, skip).join("")));
        expect(found.end_of_file).toBe(skip + count >= all.length);
      }),
      { numRuns: 200 },
    );
  });

  it("are found deep in a file that is far larger than what is held", () => {
    const path = file(`${"x".repeat(99)}\n`.repeat(200_000));
    expect(told(path, 150_001, 2)).toMatchObject({ offset: 15_000_000, lines: 2 });
    expect(told(path, 200_000).end_of_file).toBe(true);
  });

  it("are too_large when they pass the limit, or lie beyond what is scanned", () => {
    const over = file(Buffer.alloc(READ_FILE_MAX_BYTES + 1, 65));
    expect(word(over)).toBe("too_large");
    expect(word(file(`${"a\n".repeat(READ_FILE_MAX_BYTES / 2)}`))).toBe("no failure");
    const fd = openSync(over, "w");
    writeSync(fd, "first\n");
    ftruncateSync(fd, READ_FILE_MAX_SCAN_BYTES + 1);
    closeSync(fd);
    expect(told(over, 1, 1)).toMatchObject({ text: "first\n", end_of_file: false });
    expect(word(over, 9)).toBe("too_large");
  });

  it("refuse what is no text, no file or not there", (ctx) => {
    expect(word(file(Buffer.from([0x61, 0x0a, 0xff])), 2)).toBe("not_text");
    expect(word(harness.inside("f"), 1, 1)).toBe("no failure");
    expect(word(harness.inside("none"))).toBe("not_found");
    expect(word(harness.inside("folder"))).toBe("is_a_directory");
    expect(word(harness.beside("secret.txt"))).toBe("outside_roots");
    symlinkSync(harness.beside("secret.txt"), harness.inside("link"));
    expect(word(harness.inside("link"))).toBe("not_a_regular_file");
    if (process.platform === "win32") return ctx.skip("Windows has no FIFOs in folders");
    execFileSync("mkfifo", [harness.inside("fifo")]);
    expect(word(harness.inside("fifo"))).toBe("not_a_regular_file");
  });
});
