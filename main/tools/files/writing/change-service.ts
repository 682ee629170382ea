import { type Preview, ToolFailure } from "../../../../app/execution/ports.ts";
import type { FileJob, FileResult } from "../file-jobs.ts";
import { withStopFlag } from "../stop-flag.ts";
import type { Change, ChangeValues, PreviewJob } from "./change-jobs.ts";

/** Changes to files, off the main thread. Every method throws ToolFailure and nothing else. */
export interface FileChanges {
  /**
   * Makes a change. When the signal aborts it throws `cancelled` at once; the change is then not
   * made, unless its last step was already under way.
   */
  change<K extends Change["kind"]>(
    job: Extract<Change, { kind: K }>,
    signal: AbortSignal,
  ): Promise<ChangeValues[K]>;
  preview(of: PreviewJob["of"], signal: AbortSignal): Promise<Preview>;
  /** The home trash of the freedesktop specification, there or not. */
  readonly homeTrash: string;
  /** Our own folders, without a link in them, which no agent may change. */
  readonly ownData: readonly string[];
}

type Submit = (job: FileJob, signal: AbortSignal) => Promise<FileResult>;

export function fileChanges(
  submit: Submit,
  places: Pick<FileChanges, "homeTrash" | "ownData">,
): FileChanges {
  return {
    ...places,
    async change(job, signal) {
      const result = await withStopFlag(signal, (stop) => submit({ ...job, stop }, signal));
      return expectValue(result, job.kind);
    },
    async preview(of, signal) {
      return expectValue(await submit({ kind: "preview", of }, signal), "preview");
    },
  };
}

function expectValue<K extends keyof ChangeValues>(result: FileResult, kind: K): ChangeValues[K] {
  if (result.kind !== kind) throw new ToolFailure("internal_error");
  return (result as unknown as { readonly value: ChangeValues[K] }).value;
}
