import type { FileToRead } from "./file-to-read.ts";
import { startMeasured } from "./measured-process.ts";
import type { Subject } from "./subject.ts";

export type Wanted = { readonly glob: string } | { readonly text: string };

/** Our file service and its worker, without a client. */
export const startServiceRead = (
  name: string,
  { folder, path, bytes }: FileToRead,
): Promise<Subject> =>
  startMeasured({
    name,
    modes: [1],
    entry: "file-service.ts",
    args: [folder, "read", path, String(bytes)],
  });

export const startServiceSearch = (
  name: string,
  folder: string,
  wanted: Wanted,
  found: number,
): Promise<Subject> =>
  startMeasured({
    name,
    modes: [1],
    entry: "file-service.ts",
    args: [folder, "search", JSON.stringify(wanted), String(found)],
  });
