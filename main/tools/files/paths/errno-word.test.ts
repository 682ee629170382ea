import { constants } from "node:os";
import { getSystemErrorMap } from "node:util";
import { expect, it } from "vitest";
import { ERROR_REASONS } from "../../../../app/contract/codes.ts";
import { errnoWord } from "../opening/safe-open.ts";

/** Agents branch on these words, so changing one breaks them. Everything else is `io_error`. */
const SAID: Readonly<Record<string, string>> = {
  ENOENT: "not_found",
  ESTALE: "not_found",
  EACCES: "access_denied",
  EPERM: "access_denied",
  EBUSY: "access_denied",
  EROFS: "access_denied",
  EISDIR: "is_a_directory",
  ENOTDIR: "not_a_directory",
  ELOOP: "not_a_regular_file",
  EMLINK: "not_a_regular_file",
  ENXIO: "not_a_regular_file",
  ENODEV: "not_a_regular_file",
  ENAMETOOLONG: "invalid_path",
  EILSEQ: "invalid_path",
  EFBIG: "too_large",
  EOVERFLOW: "too_large",
  EEXIST: "already_exists",
  ENOTEMPTY: "directory_not_empty",
  EXDEV: "different_volume",
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
};

/** Every error name that Node or this system has, and some that neither has. */
const NAMES = new Set([
  ...[...getSystemErrorMap().values()].map(([name]) => name),
  ...Object.keys(constants.errno),
  ...Object.keys(SAID),
  "ERR_INVALID_ARG_VALUE",
  "ERR_FS_FILE_TOO_LARGE",
  "ERR_DIR_CLOSED",
  "toString",
  "__proto__",
  "",
]);

it.each([...NAMES])("says %s with one stable word of the table", (code) => {
  const error = Object.assign(new Error(`${code}: open '/home/ada/secret.txt'`), { code });
  const word = errnoWord(error);
  expect(word).toBe(Object.hasOwn(SAID, code) ? SAID[code] : "io_error");
  expect(ERROR_REASONS.TOOL_PLATFORM_ERROR).toContain(word);
});

it("knows every system error by name", () => expect(NAMES.size).toBeGreaterThan(80));

it.each([[new TypeError("x")], [null], [undefined], ["ENOENT"]])(
  "does not guess at %j, which is no file system error",
  (error) => expect(errnoWord(error)).toBe("internal_error"),
);

it("takes a code that is no text for what it is", () => {
  expect(errnoWord({ code: 2 })).toBe("io_error");
});
