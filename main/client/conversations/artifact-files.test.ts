import { expect, it } from "vitest";
import { fileName } from "./artifacts.ts";

it.each([
  ["report.pdf", "report.pdf"],
  ["季度报告 (1).pdf", "季度报告-1-.pdf"],
  ["../../etc/passwd", "etc-passwd"],
  ["C:\\Windows\\a.txt", "C-Windows-a.txt"],
  [".bashrc", "bashrc"],
  ['a"\r\nSet-Cookie: x=1', "a-Set-Cookie-x-1"],
  ["invoice\u202egpj.exe", "invoice-gpj.exe"],
  ["…", "file"],
  [`${"long".repeat(50)}.tar.gz`, `${"long".repeat(20)}${"long".repeat(50).slice(-13)}.tar.gz`],
])("%j is saved as %j", (given, name) => {
  expect(fileName(given)).toBe(name);
});
