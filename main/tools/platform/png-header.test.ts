import { describe, expect, it } from "vitest";
import {
  CLIPBOARD_IMAGE_MAX_PIXELS,
  CLIPBOARD_IMAGE_MAX_SIDE,
} from "../../../app/contract/tools/clipboard-image-limits.ts";
import { pngSize } from "../clipboard.ts";
import { pngHead, testPng } from "./testing/test-png.ts";

const changed = (at: number, to: number): Buffer => {
  const bytes = testPng(3, 2);
  bytes[at] = to;
  return bytes;
};

describe("the size a PNG states", () => {
  it("is read from its header, wherever the bytes lie in memory", () => {
    expect(pngSize(testPng(3, 2))).toEqual({ width: 3, height: 2 });
    const within = Buffer.concat([Buffer.from([1, 2, 3]), testPng(70_000 % 301, 1)]).subarray(3);
    expect(pngSize(within)).toEqual({ width: 70_000 % 301, height: 1 });
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["text", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>".repeat(3))],
    ["a JPEG", Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(64)])],
    ["a signature alone", testPng(3, 2).subarray(0, 8)],
    ["half a header", testPng(3, 2).subarray(0, 32)],
    ["line ends changed on the way", changed(4, 0x0a)],
    ["another first chunk", changed(12, 0x4a)],
    ["a header of another length", changed(11, 14)],
    ["a wrong checksum", changed(32, testPng(3, 2).readUInt8(32) ^ 1)],
    ["no width", pngHead({ width: 0, height: 1 })],
    ["no height", pngHead({ width: 1, height: 0 })],
    ["a bit depth that is none", pngHead({ width: 1, height: 1, format: [3, 0, 0, 0, 0] })],
    ["a colour type that is none", pngHead({ width: 1, height: 1, format: [8, 5, 0, 0, 0] })],
    ["16 bits of a palette", pngHead({ width: 1, height: 1, format: [16, 3, 0, 0, 0] })],
    ["another compression", pngHead({ width: 1, height: 1, format: [8, 0, 1, 0, 0] })],
    ["another filter", pngHead({ width: 1, height: 1, format: [8, 0, 0, 1, 0] })],
    ["another interlacing", pngHead({ width: 1, height: 1, format: [8, 0, 0, 0, 2] })],
  ])("%s is not an image", (_what, bytes) => {
    expect(() => pngSize(bytes)).toThrow(expect.objectContaining({ code: "not_an_image" }));
  });

  it("may not unpack to more than a desktop can bear, however small the file is", () => {
    const tooLarge = expect.objectContaining({ code: "too_large" });
    const side = Math.sqrt(CLIPBOARD_IMAGE_MAX_PIXELS);
    expect(pngSize(pngHead({ width: side, height: side }))).toEqual({ width: side, height: side });
    expect(() => pngSize(pngHead({ width: side, height: side + 1 }))).toThrow(tooLarge);
    const long = { width: CLIPBOARD_IMAGE_MAX_SIDE, height: 1 };
    expect(pngSize(pngHead(long))).toEqual(long);
    expect(() => pngSize(pngHead({ ...long, width: long.width + 1 }))).toThrow(tooLarge);
    expect(() => pngSize(pngHead({ width: 2 ** 32 - 1, height: 2 ** 32 - 1 }))).toThrow(tooLarge);
  });
});
