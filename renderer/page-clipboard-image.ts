import type { CallArgs } from "../app/bridge/calls.ts";
import { CLIPBOARD_IMAGE_MAX_BYTES } from "../app/contract/tools/clipboard-image-limits.ts";

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
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const png = new Blob([bytes], { type: PNG });
  await navigator.clipboard.write([new ClipboardItem({ [PNG]: png })]);
}

/** Through a data URL, which every browser supports. */
function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
