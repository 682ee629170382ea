import { randomUUID } from "node:crypto";
import { type FileHandle, link, open, rename, rm } from "node:fs/promises";
import { errorKind } from "../../app/contract/coded-error.ts";

/** The errors of the log's files. They carry no content. */
export type AuditFileErrorCode =
  /** Consentry did not export the file. */
  | "not_an_export"
  /** A file of this name exists, and is not to be replaced. */
  | "file_exists"
  /** The file cannot be written; `cause` says why. */
  | "file_unwritable";

export const auditFileError = errorKind<AuditFileErrorCode>("AuditFileError");

export interface WriteOptions {
  /** Puts the new file in the place of one of the same name. */
  readonly replace: boolean;
}

/**
 * Writes a file (0600) under a name of its own first: `path` is either not there or whole.
 * @throws AuditFileError `file_exists`, `file_unwritable`; whatever `chunks` throws
 */
export async function writeAside(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { replace }: WriteOptions,
): Promise<void> {
  const aside = `${path}.${randomUUID()}.part`;
  const file = await asFileError(open(aside, "wx", 0o600));
  try {
    try {
      for await (const chunk of chunks) await asFileError(file.writeFile(chunk));
      await asFileError(file.sync());
    } finally {
      await file.close();
    }
    await asFileError(replace ? rename(aside, path) : renameNew(aside, path));
  } finally {
    await rm(aside, { force: true });
  }
}

/** Unlike a renaming, a link never takes another file's place. */
async function renameNew(aside: string, path: string): Promise<void> {
  try {
    await link(aside, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw auditFileError("file_exists");
    if (!NO_LINKS.has(codeOf(error))) throw error;
    const taken: FileHandle = await open(path, "wx", 0o600);
    await taken.close();
    await rename(aside, path);
  }
}

/** What file systems without hard links answer. */
const NO_LINKS: ReadonlySet<unknown> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
]);

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

async function asFileError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (auditFileError.is(error)) throw error;
    const code = codeOf(error) === "EEXIST" ? "file_exists" : "file_unwritable";
    throw auditFileError(code, { cause: error });
  }
}
