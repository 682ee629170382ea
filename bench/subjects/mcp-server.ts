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
