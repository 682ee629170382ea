import { ClipboardItem, clipboard } from "electron";
import { CLIPBOARD_IMAGE_MAX_BYTES } from "../../app/contract/tools/clipboard-image-limits.ts";
import { ToolFailure } from "../../app/execution/ports.ts";
import type {
  ClipboardImageService,
  ClipboardService,
} from "../tools/platform/platform-services.ts";

const PNG = "image/png";

export const electronClipboard: ClipboardService = {
  async read(signal) {
    signal.throwIfAborted();
    return await clipboard.readText();
  },
  async write(text, signal) {
    signal.throwIfAborted();
    await clipboard.writeText(text);
  },
};

/** Electron returns any image on the clipboard as a PNG. */
export const electronClipboardImages: ClipboardImageService = {
  async read(signal) {
    signal.throwIfAborted();
    const items = await clipboard.read();
    const item = items.find(({ types }) => types.includes(PNG));
    if (item === undefined) return null;
    const png = await item.getType<string>(PNG);
    signal.throwIfAborted();
    if (!(png instanceof Blob)) return null;
    if (png.size > CLIPBOARD_IMAGE_MAX_BYTES) throw new ToolFailure("too_large");
    return new Uint8Array(await png.arrayBuffer());
  },
  async write(png, signal) {
    signal.throwIfAborted();
    const image = new Blob([new Uint8Array(png)], { type: PNG });
    await clipboard.write([new ClipboardItem({ [PNG]: image })]);
  },
};
