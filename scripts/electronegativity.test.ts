import { expect, test } from "vitest";
import { outdated, readFindings, unexplained } from "./packaging/electron-findings.ts";

const HEADER = "issue, severity, confidence, filename, location, sample, description, url\n";
const line = (check: string, severity: string, file: string) =>
  `${check},"${severity}","FIRM","${file}","35:17","const window = new BrowserWindow({","Limit ""navigation"", flows",https://example.org\n`;
const KNOWN =
  line("CSP_GLOBAL_CHECK", "MEDIUM", "N/A") +
  line("AUXCLICK_JS_CHECK", "MEDIUM", "/s/main/desktop/open-window.ts") +
  line("PRELOAD_JS_CHECK", "MEDIUM", "C:\\s\\main\\desktop\\open-window.ts");

test("what was explained passes, at the place that it was explained for", () => {
  const findings = readFindings(HEADER + KNOWN);
  expect(findings).toHaveLength(3);
  expect(unexplained(findings)).toEqual([]);
  expect(outdated(findings)).toEqual([]);
  const elsewhere = readFindings(HEADER + line("PRELOAD_JS_CHECK", "MEDIUM", "/s/other.ts"));
  expect(unexplained(elsewhere)).toMatchObject([{ check: "PRELOAD_JS_CHECK", file: "other.ts" }]);
});

test("a high finding cannot be explained, and an explanation that nothing needs is named", () => {
  const high = readFindings(HEADER + line("PRELOAD_JS_CHECK", "HIGH", "/s/open-window.ts"));
  expect(unexplained(high)).toHaveLength(1);
  expect(outdated(high)).toEqual(["CSP_GLOBAL_CHECK", "AUXCLICK_JS_CHECK"]);
});
