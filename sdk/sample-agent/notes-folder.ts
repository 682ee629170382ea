import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export interface NotesFolder {
  /** Absolute: the client does not know this process's working directory. */
  readonly path: string;
  dispose(): Promise<void>;
}

/** The folder asked for, or a new temporary one with a `notes.md`, removed afterwards. */
export async function notesFolder(chosen: string | undefined): Promise<NotesFolder> {
  if (chosen !== undefined) return { path: resolve(chosen), async dispose() {} };
  const path = await mkdtemp(join(tmpdir(), "sample-agent-"));
  await writeFile(join(path, "notes.md"), "# Notes\n\nBuy milk. Call Ada.\n");
  return { path, dispose: () => rm(path, { recursive: true, force: true }) };
}
