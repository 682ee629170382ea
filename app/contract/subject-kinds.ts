import { CATALOGUE, type CatalogueEntry } from "./catalogue.ts";
import type { RuleSubject } from "./rule-subject.ts";

/** The kinds of subjects that a rule about a tool or scope can have, the most telling first. */
export const subjectKinds = (covers: string): readonly RuleSubject["kind"][] => [
  ...new Set(
    [...CATALOGUE.values()]
      .filter(({ name, scope }) => [name, scope].includes(covers))
      .flatMap(kindsOfTool),
  ),
];

export function kindsOfTool({ name, needsRoot }: ToolShape): readonly RuleSubject["kind"][] {
  if (name === "run_command") return ["command", "path", "anything"];
  if (name === "fetch_url") return ["host", "anything"];
  return needsRoot ? ["path", "anything"] : ["anything"];
}

export type ToolShape = Pick<CatalogueEntry, "name" | "needsRoot">;
