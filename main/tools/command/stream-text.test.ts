import { describe, expect, it } from "vitest";
import { streamText } from "./output.ts";

describe("a stream's bytes", () => {
  it("are text where they are UTF-8, a byte order mark included", () => {
    for (const text of ["", "a", "žluť 🙈\n", "\ufeffx", '"\\\n', "tab\there"]) {
      expect(streamText(Buffer.from(text))).toEqual({ text, encoding: "utf-8" });
    }
  });

  it("are base64 where they are not, or would grow over twice as long", () => {
    expect(streamText(Buffer.from([0xff]))).toEqual({ text: "/w==", encoding: "base64" });
    expect(streamText(Buffer.from("\u001b\u001b"))).toEqual({ text: "Gxs=", encoding: "base64" });
    expect(streamText(Buffer.from([0xed, 0xa0, 0x80])).encoding).toBe("base64");
  });

  it("never take more than twice their length as JSON", () => {
    for (let code = 0; code < 256; code += 1) {
      const bytes = Buffer.alloc(1000, code);
      const json = JSON.stringify(streamText(bytes).text);
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(2002);
    }
  });
});
