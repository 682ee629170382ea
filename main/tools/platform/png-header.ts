import { crc32 } from "node:zlib";
import {
  CLIPBOARD_IMAGE_MAX_PIXELS,
  CLIPBOARD_IMAGE_MAX_SIDE,
} from "../../../app/contract/tools/clipboard-image-limits.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";

export interface PngSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/**
 * After the signature: length, type, 13 bytes of content, checksum (PNG, third edition, §11.2.1).
 */
const IHDR = { start: 8, type: 12, content: 16, depth: 24, checksum: 29, end: 33 } as const;

/** Bit depths that a colour type may have (PNG §11.2.1, table 12). */
const DEPTHS: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);

/**
 * Reads the size that a PNG states. Nothing is decoded here; but whatever decodes it later (the
 * desktop, another program) must not be given a small file that unpacks to gigabytes.
 * @throws ToolFailure `not_an_image`, or `too_large` because of its pixels
 */
export function pngSize(bytes: Uint8Array): PngSize {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!hasHeader(view)) throw new ToolFailure("not_an_image");
  const width = view.readUInt32BE(IHDR.content);
  const height = view.readUInt32BE(IHDR.content + 4);
  if (width === 0 || height === 0) throw new ToolFailure("not_an_image");
  if (Math.max(width, height) > CLIPBOARD_IMAGE_MAX_SIDE) throw new ToolFailure("too_large");
  if (width * height > CLIPBOARD_IMAGE_MAX_PIXELS) throw new ToolFailure("too_large");
  return { width, height };
}

function hasHeader(view: Buffer): boolean {
  if (view.length < IHDR.end || !view.subarray(0, IHDR.start).equals(SIGNATURE)) return false;
  if (view.readUInt32BE(IHDR.start) !== IHDR.checksum - IHDR.content) return false;
  if (view.toString("latin1", IHDR.type, IHDR.content) !== "IHDR") return false;
  const covered = view.subarray(IHDR.type, IHDR.checksum);
  return crc32(covered) === view.readUInt32BE(IHDR.checksum) && isKnownFormat(view);
}

function isKnownFormat(view: Buffer): boolean {
  const [depth = -1, colour = -1, compression = -1, filter = -1, interlace = -1] = view.subarray(
    IHDR.depth,
    IHDR.checksum,
  );
  const isDepth = DEPTHS.get(colour)?.includes(depth) === true;
  return isDepth && compression === 0 && filter === 0 && interlace <= 1;
}
