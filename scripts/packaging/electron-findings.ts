/** A line of electronegativity's report. */
export interface Finding {
  readonly check: string;
  readonly severity: string;
  /** The file's name without its folder; `N/A`: it is about the whole. */
  readonly file: string;
}

/** Findings that were looked at and are none here, and why. */
const EXPLAINED: readonly (Pick<Finding, "check" | "file"> & { readonly why: string })[] = [
  {
    check: "CSP_GLOBAL_CHECK",
    file: "N/A",
    why: "The policy is a header that the program sends with every page (renderer-files.ts), not a tag.",
  },
  {
    check: "AUXCLICK_JS_CHECK",
    file: "open-window.ts",
    why: "A middle click cannot open a window: setWindowOpenHandler denies all (harden-contents.ts).",
  },
  {
    check: "PRELOAD_JS_CHECK",
    file: "open-window.ts",
    why: "Both preloads pass on calls and events by name and nothing else (preload/ipc-port.ts).",
  },
];

const CELL = /"((?:[^"]|"")*)"|([^,]*)/y;

/** @param csv as electronegativity writes it: a header, then a finding a line */
export function readFindings(csv: string): readonly Finding[] {
  return csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [check = "", severity = "", , path = ""] = cellsOf(line);
      return { check, severity, file: path === "N/A" ? path : nameOf(path) };
    });
}

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? "";

function cellsOf(line: string): readonly string[] {
  const cells: string[] = [];
  for (let at = 0; at <= line.length; at = CELL.lastIndex + 1) {
    CELL.lastIndex = at;
    const found = CELL.exec(line);
    cells.push(found?.[1] ?? found?.[2] ?? "");
  }
  return cells;
}

/** Findings that nobody has explained. One of high severity cannot be explained away. */
export const unexplained = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(
    ({ check, severity, file }) =>
      severity === "HIGH" || !EXPLAINED.some((each) => each.check === check && each.file === file),
  );

/** Explanations of what is no longer found. */
export const outdated = (findings: readonly Finding[]): readonly string[] =>
  EXPLAINED.filter(
    ({ check, file }) => !findings.some((each) => each.check === check && each.file === file),
  ).map(({ check }) => check);
