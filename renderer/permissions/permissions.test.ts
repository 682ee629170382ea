import { expect, test } from "vitest";
import type { QuietPeriodView } from "../../app/bridge/agent-views.ts";
import type { RuleSubject } from "../../app/contract/rule.ts";
import { sampleAgent as agent } from "../agents/testing/sample-agent.ts";
import { foundPermissions } from "./permissions.tsx";

const names = {
  scope: ({ id }: { id: string }) => (id === "filesystem:read" ? "Dateien lesen" : id),
  tool: () => "Befehl ausführen",
  about: (subject: RuleSubject) => (subject.kind === "command" ? subject.program : ""),
  covers: ({ subject }: QuietPeriodView) =>
    subject.kind === "folder" ? `Lesen in ${subject.path}` : "",
};
const counts = (typed: string) => {
  const found = foundPermissions(agent, typed, names);
  if (found === null) return null;
  const { grants, quiet_periods, rules, roots, hosts } = found;
  return [grants, quiet_periods, rules, roots, hosts].map(({ length }) => length);
};

test("an agent is found whole by its name, the person's name for it and its key", () => {
  for (const typed of ["reader", " ARCHIV ", "ab12", "12cd3"]) {
    expect(foundPermissions(agent, typed, names)).toBe(agent);
  }
});

test("a permission is found by its shown name and its id, with its quiet periods", () => {
  expect(counts("dateien")).toEqual([1, 1, 0, 0, 0]);
  expect(counts("filesystem:")).toEqual([1, 1, 0, 0, 0]);
});

test("rules, folders, hosts and what is quiet are found by what is shown of them", () => {
  expect(counts("befehl")).toEqual([0, 0, 1, 0, 0]);
  expect(counts("bin/git")).toEqual([0, 0, 1, 0, 0]);
  expect(counts("notes")).toEqual([0, 1, 0, 1, 0]);
  expect(counts("lesen in")).toEqual([0, 1, 0, 0, 0]);
  expect(counts("printer.local:631")).toEqual([0, 0, 0, 0, 1]);
});

test("what was taken back is not found, nor what is not there", () => {
  expect(counts("network")).toBeNull();
  expect(counts("elephant")).toBeNull();
});
