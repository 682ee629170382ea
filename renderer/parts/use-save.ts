import type { FileDelivery } from "../../app/bridge/views.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";

/**
 * Saves a file that the host makes, and shows the person any failure.
 * @returns whether it is saved, or being downloaded
 */
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
