import type { CallArgs } from "../app/bridge/calls.ts";
import { CLIPBOARD_IMAGE_MAX_BYTES } from "../app/contract/tools/clipboard-image-limits.ts";
import { base64Of, blobOf } from "./parts/base64.ts";

const PNG = "image/png";

type Outcome = Pick<CallArgs<"page.answer">, "ok" | "image" | "word">;

/** Older browsers support text only. */
export const imagesUsable = (): boolean =>
  "ClipboardItem" in window && "read" in navigator.clipboard && "write" in navigator.clipboard;

/** The result has no image if the clipboard holds none. */
export async function clipboardImage(): Promise<Outcome> {
  const items = await navigator.clipboard.read();
  const item = items.find(({ types }) => types.includes(PNG));
  if (item === undefined) return { ok: true };
  const blob = await item.getType(PNG);
  // A larger one would not fit through the bridge.
  if (blob.size > CLIPBOARD_IMAGE_MAX_BYTES) return { ok: false, word: "too_large" };
  return { ok: true, image: await base64Of(blob) };
}

export async function writeClipboardImage(base64: string): Promise<void> {
  await navigator.clipboard.write([new ClipboardItem({ [PNG]: blobOf(base64, PNG) })]);
}
