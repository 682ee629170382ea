import { crc32 } from "node:zlib";
import type { ConsentPreview } from "../../app/contract/consent-preview.ts";
import {
  CLIPBOARD_MAX_CHARS,
  type ClipboardImage,
  readClipboard,
  type WrittenImage,
  writeClipboard,
} from "../../app/contract/tools/clipboard.ts";
import {
  CLIPBOARD_IMAGE_MAX_BYTES,
  CLIPBOARD_IMAGE_MAX_PIXELS,
  CLIPBOARD_IMAGE_MAX_SIDE,
} from "../../app/contract/tools/clipboard-image-limits.ts";
import { type Tool, toolFailure } from "../../app/execution/ports.ts";
import { defineTool } from "./define-tool.ts";
import { type PlatformServices, platformCall, provided } from "./platform/platform-services.ts";

/** `read_clipboard` (contract §4). */
export function readClipboardTool(platform: PlatformServices): Tool {
  return defineTool(readClipboard, {
    available: () => hasClipboard(platform),
    run: ({ format = "text" }, { signal }) =>
      platformCall("clipboard_error", signal, async () =>
        format === "image" ? readImage(platform, signal) : readText(platform, signal),
      ),
  });
}

/** The largest picture, in pixels, that a page decodes: 32 MiB at most. */
const DRAWABLE_PIXELS = 8_388_608;

/** `write_clipboard` (contract §4). */
export function writeClipboardTool(platform: PlatformServices): Tool {
  return defineTool(writeClipboard, {
    available: () => hasClipboard(platform),
    preview: async (what) => ({
      shown: "text" in what ? null : imagePreview(what.image),
      seen: null,
    }),
    run: (what, { signal }) =>
      platformCall("clipboard_error", signal, async () =>
        "text" in what
          ? writeText(platform, what.text, signal)
          : writeImage(platform, what.image, signal),
      ),
  });
}

/**
 * Whether text or an image is wanted depends on the arguments; `run` reports it if that half is
 * missing.
 */
const hasClipboard = (platform: PlatformServices): boolean =>
  platform.clipboard() !== null || platform.clipboardImages() !== null;

async function readText(platform: PlatformServices, signal: AbortSignal) {
  const text = await provided(platform.clipboard()).read(signal);
  return { text: requireFits(text) };
}

async function writeText(platform: PlatformServices, text: string, signal: AbortSignal) {
  await provided(platform.clipboard()).write(requireFits(text), signal);
  return { length: text.length };
}

async function readImage(platform: PlatformServices, signal: AbortSignal): Promise<ClipboardImage> {
  const bytes = await provided(platform.clipboardImages()).read(signal);
  if (bytes === null) throw toolFailure("clipboard_empty");
  const facts = imageFacts(bytes);
  return { image: base64Of(bytes), mime_type: "image/png", ...facts };
}

async function writeImage(
  platform: PlatformServices,
  base64: string,
  signal: AbortSignal,
): Promise<WrittenImage> {
  const service = provided(platform.clipboardImages());
  const bytes = plainlySpelled(base64);
  const facts = imageFacts(bytes);
  await service.write(bytes, signal);
  return facts;
}

function imagePreview(base64: string): ConsentPreview {
  const facts = imageFacts(plainlySpelled(base64));
  return { kind: "image", ...facts, drawable: facts.width * facts.height <= DRAWABLE_PIXELS };
}

/** Refuses non-canonical base64, so that exactly what was digested and shown is written. */
function plainlySpelled(base64: string): Buffer {
  const bytes = Buffer.from(base64, "base64");
  if (base64Of(bytes) !== base64) throw toolFailure("not_an_image");
  return bytes;
}

const base64Of = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");

function imageFacts(bytes: Uint8Array): WrittenImage {
  if (bytes.byteLength > CLIPBOARD_IMAGE_MAX_BYTES) throw toolFailure("too_large");
  return { ...pngSize(bytes), size_bytes: bytes.byteLength };
}

function requireFits(text: string): string {
  if (text.length > CLIPBOARD_MAX_CHARS) throw toolFailure("too_large");
  return text;
}

interface PngSize {
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
  if (!hasHeader(view)) throw toolFailure("not_an_image");
  const width = view.readUInt32BE(IHDR.content);
  const height = view.readUInt32BE(IHDR.content + 4);
  if (width === 0 || height === 0) throw toolFailure("not_an_image");
  if (Math.max(width, height) > CLIPBOARD_IMAGE_MAX_SIDE) throw toolFailure("too_large");
  if (width * height > CLIPBOARD_IMAGE_MAX_PIXELS) throw toolFailure("too_large");
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
