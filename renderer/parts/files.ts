import type { FileDelivery } from "../../app/bridge/call-shape.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useHost } from "../host-context.tsx";

/** Saves a file of the host, and shows any failure. @returns whether it is saved or coming */
export function useSave(): (made: Promise<FileDelivery>) => Promise<boolean> {
  const { setFailure } = useHost();
  return async (made) => {
    try {
      const delivery = await made;
      setFailure(null);
      // In a window of the desktop, the host has saved it.
      if (delivery.kind === "download") download(delivery.path);
      return delivery.kind !== "cancelled";
    } catch (error) {
      setFailure(errorCode(error));
      return false;
    }
  };
}

/** The host answers with a file, so the browser stays on this page. */
function download(path: string): void {
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}

/** The bytes in base64, through a data URL, which every browser supports. */
export async function base64Of(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ""));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(blob);
  return promise;
}

export const blobOf = (base64: string, type: string): Blob =>
  new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], { type });

/** At most this many bytes of a file. In Chromium, a part of a file that was removed is read as empty. */
export const beginningOf = (file: Blob, bytes: number): Blob =>
  file.size > bytes ? file.slice(0, bytes) : file;
