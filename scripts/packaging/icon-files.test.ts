import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ICON_SIDES } from "./icon-files.ts";

const read = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../packaging/${name}`, import.meta.url)));

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Width and height, which stand in the first chunk of a PNG. */
function sidesOf(png: Buffer): readonly number[] {
  expect(png.subarray(0, 8)).toEqual(PNG);
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test("the icons were drawn from the drawing as it is", () => {
  const digest = createHash("sha256").update(read("icon.svg")).digest("hex");
  expect(read("icon.svg.sha256").toString().trim()).toBe(digest);
});

test.each(ICON_SIDES)("the icon of %i pixels has that size", (side) => {
  expect(sidesOf(read(`icons/${side}x${side}.png`))).toEqual([side, side]);
});

test("Windows' icon has a picture for each size that it names", () => {
  const file = read("icon.ico");
  const count = file.readUInt16LE(4);
  const sides = Array.from({ length: count }, (_, index) => {
    const at = 6 + 16 * index;
    const start = file.readUInt32LE(at + 12);
    const [width = 0] = sidesOf(file.subarray(start, start + file.readUInt32LE(at + 8)));
    expect(file.readUInt8(at)).toBe(width % 256);
    return width;
  });
  expect(sides).toEqual([16, 24, 32, 48, 64, 128, 256]);
});

test("Apple's icon is its parts from beginning to end, in every size", () => {
  const file = read("icon.icns");
  expect(file.readUInt32BE(4)).toBe(file.length);
  const sides: number[] = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) {
    const [width = 0] = sidesOf(file.subarray(at + 8, at + file.readUInt32BE(at + 4)));
    sides.push(width);
  }
  expect([...new Set(sides)]).toEqual([16, 32, 64, 128, 256, 512, 1024]);
});
