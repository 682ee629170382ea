import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};

export interface PngShape {
  readonly width: number;
  readonly height: number;
  /** Bit depth, colour type, compression, filter, interlace. */
  readonly format?: readonly number[];
}

/** The signature and a header described by `shape`, without a picture. */
export function pngHead({ width, height, format = [8, 0, 0, 0, 0] }: PngShape): Buffer {
  const content = Buffer.alloc(13);
  content.writeUInt32BE(width, 0);
  content.writeUInt32BE(height, 4);
  content.set(format, 8);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", content)]);
}

/** A complete grey picture that any program can read. */
export function testPng(width: number, height: number): Buffer {
  const lines = Buffer.alloc(height * (width + 1), 0x7f);
  for (let line = 0; line < height; line += 1) lines[line * (width + 1)] = 0;
  return Buffer.concat([
    pngHead({ width, height }),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
