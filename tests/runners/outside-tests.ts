import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter } from "vitest/node";

type Errors = Parameters<NonNullable<Reporter["onTestRunEnd"]>>[1];

/**
 * One line for each error outside a test, such as an unhandled rejection or a worker that ended. It
 * names the test file that was running, if Vitest knows it, and the first location in the project.
 */
export function namedErrors(errors: Errors, root: string): string[] {
  return errors.map((error) => {
    const file = error.VITEST_TEST_PATH;
    const place = error.stack
      ?.split("\n")
      .find((line) => line.includes(root) && !line.includes("node_modules"));
    const during = typeof file === "string" ? ` during ${relative(root, file)}` : "";
    const at = place === undefined ? "" : ` ${place.trim().replaceAll(`${root}/`, "")}`;
    return `${error.name ?? "Error"}: ${error.message.split("\n")[0]}${during}${at}`;
  });
}

/**
 * A Vitest reporter that writes these lines as JSON to the file named in `CONSENTRY_OUTSIDE_TESTS`.
 */
export default class OutsideTests implements Reporter {
  onTestRunEnd(_modules: unknown, errors: Errors): void {
    const file = process.env.CONSENTRY_OUTSIDE_TESTS;
    if (file !== undefined) writeFileSync(file, JSON.stringify(namedErrors(errors, process.cwd())));
  }
}
