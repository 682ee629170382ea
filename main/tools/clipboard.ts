import type { ConsentPreview } from "../../app/contract/consent-preview.ts";
import {
  CLIPBOARD_MAX_CHARS,
  type ClipboardImage,
  readClipboard,
  type WrittenImage,
  writeClipboard,
} from "../../app/contract/tools/clipboard.ts";
import { CLIPBOARD_IMAGE_MAX_BYTES } from "../../app/contract/tools/clipboard-image-limits.ts";
import { type Tool, ToolFailure } from "../../app/execution/ports.ts";
import { defineTool } from "./define-tool.ts";
import { platformCall, provided } from "./platform/platform-call.ts";
import type { PlatformServices } from "./platform/platform-services.ts";
import { pngSize } from "./platform/png-header.ts";

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
  if (bytes === null) throw new ToolFailure("clipboard_empty");
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
  if (base64Of(bytes) !== base64) throw new ToolFailure("not_an_image");
  return bytes;
}

const base64Of = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");

function imageFacts(bytes: Uint8Array): WrittenImage {
  if (bytes.byteLength > CLIPBOARD_IMAGE_MAX_BYTES) throw new ToolFailure("too_large");
  return { ...pngSize(bytes), size_bytes: bytes.byteLength };
}

function requireFits(text: string): string {
  if (text.length > CLIPBOARD_MAX_CHARS) throw new ToolFailure("too_large");
  return text;
}
