import type { AgentDetails, RuleView } from "../../app/bridge/agent-views.ts";
import { AGENT_CATALOGUE } from "../../app/contract/agent-catalogue.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { CATALOGUE, ownToolName } from "../../app/contract/catalogue.ts";
import { plainPath } from "../../app/contract/folder-path.ts";
import { hostText, networkHostOf, typedAddress } from "../../app/contract/network-host.ts";
import {
  type ChangedRuleTime,
  type RuleEffect,
  type RuleSubject,
  subjectKinds,
} from "../../app/contract/rule.ts";

/** The tools of an agent that a rule can cover. */
export const toolsOf = ({ grants }: AgentDetails): readonly string[] => {
  const declared = new Set(grants.flatMap(({ scope }) => scope.tools.map(ownToolName)));
  const known = new Set<string>([...CATALOGUE.keys(), ...AGENT_CATALOGUE.keys()]);
  return [...known].filter((name) => declared.has(name));
};

/** These, and the scopes that have more than one of them. */
export const coverable = (agent: AgentDetails): readonly string[] => [
  ...toolsOf(agent),
  ...agent.grants.filter(({ scope }) => scope.tools.length > 1).map(({ scope }) => scope.id),
];

type Method = Extract<RuleSubject, { kind: "host" }>["method"];

export interface RuleDraft {
  readonly covers: string;
  readonly effect: RuleEffect;
  readonly time: ChangedRuleTime;
  readonly kind: RuleSubject["kind"];
  readonly path: string;
  readonly names: string;
  readonly host: string;
  readonly method: Method;
  /** One word a line: the program, then its first arguments. */
  readonly command: string;
  readonly tool: string;
  /** Undefined: anywhere. */
  readonly project: string | undefined;
}

export function draftOf(rule: RuleView | null, first = ""): RuleDraft {
  const covers = rule?.covers ?? first;
  const draft: RuleDraft = {
    covers,
    effect: rule?.effect ?? "allow",
    time: rule === null ? "today" : timeOf(rule),
    kind: rule?.subject.kind ?? subjectKinds(covers)[0] ?? "anything",
    path: "",
    names: "",
    host: "",
    method: "reading",
    command: "",
    tool: "",
    project: rule?.project,
  };
  return rule === null ? draft : { ...draft, ...wordsOf(rule.subject) };
}

/** The end stays unless the person chooses another. */
const timeOf = ({ ends_at }: RuleView): ChangedRuleTime =>
  ends_at === null ? "always" : "unchanged";

function wordsOf(subject: RuleSubject): Partial<RuleDraft> {
  switch (subject.kind) {
    case "anything":
      return {};
    case "path":
      return { path: subject.path, names: subject.names ?? "" };
    case "host":
      return { host: hostText(subject), method: subject.method };
    case "tool":
      return { tool: subject.tool };
    case "command":
      return { command: [subject.named ?? subject.program, ...subject.begins].join("\n") };
    default:
      return assertNever(subject);
  }
}

/** What the draft is about; null: it does not say yet. */
export function subjectFrom({ kind, ...draft }: RuleDraft): RuleSubject | null {
  switch (kind) {
    case "anything":
      return { kind };
    case "path": {
      const typed = draft.path.trim();
      const path = plainPath(typed.length > 1 ? typed.replace(/[\\/]$/, "") : typed);
      return path === null ? null : { kind, path, names: draft.names.trim() || null };
    }
    case "host": {
      const url = typedAddress(draft.host.trim());
      return url === null ? null : { kind, ...networkHostOf(url), method: draft.method };
    }
    case "tool": {
      const tool = draft.tool.trim();
      return tool === "" ? null : { kind, tool };
    }
    case "command": {
      const [program = "", ...begins] = draft.command.split("\n").filter((word) => word !== "");
      return program === "" ? null : { kind, program, begins };
    }
    default:
      return assertNever(kind);
  }
}
