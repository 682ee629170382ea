import { describe, expect, it } from "vitest";
import { catalogueEntry } from "../../../app/contract/catalogue.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import {
  CLIPBOARD_IMAGE_MAX_BASE64,
  CLIPBOARD_IMAGE_MAX_BYTES,
} from "../../../app/contract/tools/clipboard-image-limits.ts";
import { readClipboardTool, writeClipboardTool } from "../clipboard.ts";
import { toolContext } from "../testing/tool-context.ts";
import { type ClipboardImageService, NO_SERVICES } from "./platform-services.ts";
import { pngHead, testPng } from "./testing/test-png.ts";

const PNG = testPng(40, 30);
const BASE64 = PNG.toString("base64");

function memoryImages(start: Uint8Array | null = null) {
  const held: { bytes: Uint8Array | null } & ClipboardImageService = {
    bytes: start,
    read: async () => held.bytes,
    async write(png) {
      held.bytes = png;
    },
  };
  return held;
}

const platformOf = (images: ClipboardImageService | null) => ({
  ...NO_SERVICES,
  clipboardImages: () => images,
});
const read = (images: ClipboardImageService | null, args: JsonObject = { format: "image" }) =>
  readClipboardTool(platformOf(images)).run(args, toolContext());
const write = (images: ClipboardImageService | null, args: JsonObject) =>
  writeClipboardTool(platformOf(images)).run(args, toolContext());

const accepts = (tool: string, args: JsonObject) => catalogueEntry(tool)?.acceptsArguments(args);

describe("the clipboard's arguments", () => {
  it.each([{}, { format: "text" }, { format: "image" }])("read_clipboard takes %j", (args) => {
    expect(accepts("read_clipboard", args)).toBe(true);
  });

  it.each([{ format: "html" }, { format: null }, { formats: "image" }])(
    "read_clipboard refuses %j",
    (args) => {
      expect(accepts("read_clipboard", args)).toBe(false);
    },
  );

  it("write_clipboard takes text or an image, and never both or neither", () => {
    expect(accepts("write_clipboard", { text: "" })).toBe(true);
    expect(accepts("write_clipboard", { image: BASE64 })).toBe(true);
    expect(accepts("write_clipboard", { text: "x", image: BASE64 })).toBe(false);
    expect(accepts("write_clipboard", {})).toBe(false);
  });

  it.each([
    "",
    "data:image/png;base64,AAAA",
    "AA A",
    "AA-_",
    "AAAA\n",
    "====",
    "A".repeat(CLIPBOARD_IMAGE_MAX_BASE64 + 1),
  ])("write_clipboard refuses the image %.30j", (image) => {
    expect(accepts("write_clipboard", { image })).toBe(false);
  });
});

describe("what the person sees of an image before it is written", () => {
  const preview = async (args: JsonObject) => {
    const { agent_id, signal } = toolContext();
    const drawn = await writeClipboardTool(platformOf(null)).preview?.(args, {
      agent_id,
      roots: [],
      given: [],
      signal,
    });
    return drawn?.shown;
  };

  it("is the image with its sides, and nothing for a text", async () => {
    const facts = { width: 40, height: 30, size_bytes: PNG.length };
    expect(await preview({ image: BASE64 })).toEqual({ kind: "image", ...facts, drawable: true });
    expect(await preview({ text: "hello" })).toBeNull();
  });

  it("is not unpacked on a page when a few bytes would become hundreds of megabytes", async () => {
    const bomb = pngHead({ width: 8192, height: 8192 }).toString("base64");
    expect(await preview({ image: bomb })).toMatchObject({ kind: "image", drawable: false });
  });

  it("is no picture of what is none: the call is refused unasked", async () => {
    await expect(preview({ image: "AAAA" })).rejects.toMatchObject({ code: "not_an_image" });
  });
});

describe("an image on the clipboard", () => {
  it("is written and read back byte for byte, with the size it states", async () => {
    const images = memoryImages();
    const facts = { width: 40, height: 30, size_bytes: PNG.length };
    expect(await write(images, { image: BASE64 })).toEqual(facts);
    expect(images.bytes).toEqual(PNG);
    expect(await read(images)).toEqual({ image: BASE64, mime_type: "image/png", ...facts });
  });

  it("is told apart from an empty clipboard and from what is no image", async () => {
    await expect(read(memoryImages())).rejects.toMatchObject({ code: "clipboard_empty" });
    for (const bytes of [Buffer.alloc(0), Buffer.from("GIF89a".repeat(20))]) {
      await expect(read(memoryImages(bytes))).rejects.toMatchObject({ code: "not_an_image" });
    }
    const images = memoryImages();
    const text = Buffer.from("no picture at all").toString("base64");
    await expect(write(images, { image: text })).rejects.toMatchObject({ code: "not_an_image" });
    expect(images.bytes).toBeNull();
  });

  it("has one spelling: base64 that decodes to the same bytes in another way is refused", async () => {
    const images = memoryImages();
    // Its last bits do not belong to any byte.
    const png = PNG.subarray(0, PNG.length - (PNG.length % 3) - 2);
    const text = png.toString("base64");
    const other = text.replace(/.=+$/, (end) => `B${end.slice(1)}`);
    expect(Buffer.from(other, "base64").subarray(0, -1)).toEqual(png.subarray(0, -1));
    for (const image of [other, text.replace(/=+$/, ""), `${BASE64}=`]) {
      if (image === text) continue;
      await expect(write(images, { image })).rejects.toMatchObject({ code: "not_an_image" });
    }
    expect(images.bytes).toBeNull();
  });

  it("of exactly the limit fits a result, and of one byte more is too large", async () => {
    const whole = Buffer.alloc(CLIPBOARD_IMAGE_MAX_BYTES);
    PNG.copy(whole);
    const result = await read(memoryImages(whole));
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(LIMITS.resultBytes);
    const over = Buffer.alloc(CLIPBOARD_IMAGE_MAX_BYTES + 1);
    PNG.copy(over);
    await expect(read(memoryImages(over))).rejects.toMatchObject({ code: "too_large" });
  });

  it("is unavailable where only text can be carried, and text where only images can", async () => {
    const missing = { name: "ToolUnavailable", code: "no_provider" };
    await expect(read(null)).rejects.toMatchObject(missing);
    await expect(write(null, { image: BASE64 })).rejects.toMatchObject(missing);
    await expect(read(memoryImages(), {})).rejects.toMatchObject(missing);
    await expect(write(memoryImages(), { text: "x" })).rejects.toMatchObject(missing);
    expect(readClipboardTool(platformOf(memoryImages())).available()).toBe(true);
    expect(writeClipboardTool(platformOf(null)).available()).toBe(false);
  });
});
