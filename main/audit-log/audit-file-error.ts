const AUDIT_FILE_ERRORS = [
  /** This program did not export the file. */
  "not_an_export",
  /** There is a file of this name, and nobody said to replace it. */
  "file_exists",
  /** The file cannot be written; `cause` says why. */
  "file_unwritable",
  /** Nothing in the file tells how large its pages are. */
  "not_a_database",
] as const;
export type AuditFileErrorCode = (typeof AUDIT_FILE_ERRORS)[number];

/** The boundary of the log's files. Never carries content. */
export class AuditFileError extends Error {
  override readonly name = "AuditFileError";
  readonly code: AuditFileErrorCode;
  constructor(code: AuditFileErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
