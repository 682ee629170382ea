import type { FileToRead } from "./file-to-read.ts";
import { startMeasured } from "./measured-process.ts";
import type { Mode, Subject } from "./subject.ts";

/**
 * How the two ends' messages are protected: `encrypted` as the program does it, `public-key` with the
 * public-key operations alone.
 */
export type LeastKind = "encrypted" | "public-key" | "plain";

/** The least that a silent call must do, with its keys and records in `folder`, which exists. */
export const startLeast = (
  name: string,
  kind: LeastKind,
  modes: readonly Mode[],
  folder: string,
  { path, bytes }: FileToRead,
): Promise<Subject> =>
  startMeasured({
    name,
    modes,
    entry: "least-agent.ts",
    args: [folder, path, String(bytes), kind],
  });
