import type { ToolFailureWord } from "../../../../app/contract/codes.ts";

/** Errors that mean something to an agent. All others are `io_error`. */
const WORDS: ReadonlyMap<string, ToolFailureWord> = new Map([
  ["ENOENT", "not_found"],
  ["ESTALE", "not_found"],
  ["EACCES", "access_denied"],
  ["EPERM", "access_denied"],
  ["EBUSY", "access_denied"],
  ["EROFS", "access_denied"],
  ["EISDIR", "is_a_directory"],
  ["ENOTDIR", "not_a_directory"],
  // With O_NOFOLLOW: a symbolic link at the end of the path.
  ["ELOOP", "not_a_regular_file"],
  ["EMLINK", "not_a_regular_file"],
  ["ENXIO", "not_a_regular_file"],
  ["ENODEV", "not_a_regular_file"],
  ["ENAMETOOLONG", "invalid_path"],
  ["EILSEQ", "invalid_path"],
  ["EFBIG", "too_large"],
  ["EOVERFLOW", "too_large"],
  ["EEXIST", "already_exists"],
  ["ENOTEMPTY", "directory_not_empty"],
  ["EXDEV", "different_volume"],
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
]);

/** The stable word for a file system error. Its text never leaves the program (contract §6). */
export function errnoWord(error: unknown): ToolFailureWord {
  if (typeof error !== "object" || error === null || !("code" in error)) return "internal_error";
  return typeof error.code === "string" ? (WORDS.get(error.code) ?? "io_error") : "io_error";
}
