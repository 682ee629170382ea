import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { OutgoingFile } from "../client/host-port.ts";
import { rendererHeaders } from "../client/launch/renderer-files.ts";

/** Streams a file as an attachment, as fast as it is read. An error cuts it off visibly. */
export async function serveDownload(file: OutgoingFile, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort("closed"));
  response.writeHead(200, {
    // Opened as a page, the file could do nothing.
    ...rendererHeaders(file.mediaType, []),
    "Content-Disposition": dispositionOf(file.name),
    "Cache-Control": "no-store",
  });
  await pipeline(Readable.from(file.open(gone.signal)), response).catch(() => response.destroy());
}

/** RFC 6266: letters outside ASCII have a form of their own. */
function dispositionOf(name: string): string {
  const ascii = name.replaceAll(/[^A-Za-z0-9._-]/g, "_");
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeURIComponent(name)}`;
}
