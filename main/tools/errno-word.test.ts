import { expect, it } from "vitest";
import { ERROR_REASONS } from "../../app/contract/codes.ts";
import { errnoWord } from "./errno-word.ts";

it.each([
  ["ENOENT", "not_found"],
  ["EACCES", "access_denied"],
  ["EPERM", "access_denied"],
  ["EISDIR", "is_a_directory"],
  ["ENOTDIR", "not_a_directory"],
  ["ELOOP", "not_a_regular_file"],
  ["ENXIO", "not_a_regular_file"],
  ["ENAMETOOLONG", "invalid_path"],
  ["EOVERFLOW", "too_large"],
  ["EIO", "io_error"],
  ["EMFILE", "io_error"],
  ["toString", "io_error"],
])("says %s as %s, a word of the table", (code, word) => {
  expect(errnoWord(Object.assign(new Error("secret path"), { code }))).toBe(word);
  expect(ERROR_REASONS.TOOL_PLATFORM_ERROR).toContain(word);
});

it.each([[new TypeError("x")], [null], [undefined], ["ENOENT"]])(
  "does not guess at %j, which is no file system error",
  (error) => expect(errnoWord(error)).toBe("internal_error"),
);
