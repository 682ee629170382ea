import type { FileToRead } from "./file-to-read.ts";
import { startMeasured } from "./measured-process.ts";
import type { Mode, Subject } from "./subject.ts";

/** The public filesystem server; the official client asks it for a text file. */
export const startMcpRead = (
  name: string,
  modes: readonly Mode[],
  { folder, path, bytes }: FileToRead,
): Promise<Subject> =>
  startMeasured({
    name,
    modes,
    entry: "mcp-client.mjs",
    args: [folder, "read", path, String(bytes)],
  });

/** The same server behind a gateway, as which Consentry stands between client and tool; over HTTP. */
export const startGatewayRead = (
  name: string,
  modes: readonly Mode[],
  { folder, path, bytes }: FileToRead,
): Promise<Subject> =>
  startMeasured({
    name,
    modes,
    entry: "gateway-client.mjs",
    args: [folder, path, String(bytes)],
  });

/** The same, for the files below `folder` that match a glob, of which there are `found`. */
export const startMcpSearch = (
  name: string,
  folder: string,
  glob: string,
  found: number,
): Promise<Subject> =>
  startMeasured({
    name,
    modes: [1],
    entry: "mcp-client.mjs",
    args: [folder, "search", glob, String(found)],
  });
