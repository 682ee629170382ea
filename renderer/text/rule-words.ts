import type { AgentDetails, QuietPeriodView, RuleView } from "../../app/bridge/agent-views.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { hostText } from "../../app/contract/network-host.ts";
import type { CommandBeginning, RuleSubject } from "../../app/contract/rule.ts";
import { type LocaleName, scopeLabel, type Translate, toolLabel } from "../../i18n/index.ts";
import { dateAndMinute } from "./format.ts";

/** What a rule is about, in words; unsafe characters are not escaped yet. */
export const ruleAbout = (
  t: Translate,
  { subject, project }: { readonly subject: RuleSubject; readonly project?: string },
): string => inProject(t, subjectWords(t, subject), project);

/** Where it counts only while the agent has that folder open. */
const inProject = (t: Translate, about: string, project: string | undefined): string =>
  project === undefined ? about : t("rules.about.in_project", { about, project });

function subjectWords(t: Translate, subject: RuleSubject): string {
  switch (subject.kind) {
    case "anything":
      return t("rules.kind.anything");
    case "path":
      return subject.names === null
        ? t("rules.about.path", { path: subject.path })
        : t("rules.about.names", { path: subject.path, names: subject.names });
    case "host":
      return t(`rules.about.host_${subject.method}`, { host: hostText(subject) });
    case "command":
      return t("rules.about.command", { command: commandText(subject) });
    case "tool":
      return subject.tool;
    default:
      return assertNever(subject);
  }
}

/** With the program's file, which may have another name than it is called by. */
const commandText = ({ program, named, begins }: CommandBeginning): string =>
  named === undefined ? typed(program, begins) : `${typed(named, begins)} → ${program}`;

/** Quoted where a space would make two arguments of one. */
const typed = (program: string, begins: readonly string[]): string =>
  [program, ...begins].map((word) => (/\s|^$/.test(word) ? JSON.stringify(word) : word)).join(" ");

/** By the program's name alone. */
export const shortCommand = ({ program, named, begins }: CommandBeginning): string =>
  typed(named ?? program.replace(/^.*[\\/]/s, ""), begins);

export function ruleLasts(
  t: Translate,
  language: string,
  { ends_at, for_task }: Pick<RuleView, "ends_at" | "for_task">,
): string {
  if (ends_at === null) return t("rules.time.always");
  if (ends_at === new Date().setHours(24, 0, 0, 0) && !for_task) return t("rules.time.today");
  const time = dateAndMinute(language, ends_at);
  return for_task ? t("rules.lasts.task", { time }) : t("rules.lasts.until", { time });
}

/** How often it was used, and since when it is there. */
export function ruleUsed(t: Translate, language: string, rule: RuleView): string {
  const made = t(rule.made_on === null ? "rules.made_by_hand" : "rules.made_on_card", {
    time: dateAndMinute(language, rule.made_at),
  });
  if (rule.last_used_at === null) return `${t("rules.never_used")} · ${made}`;
  const time = dateAndMinute(language, rule.last_used_at);
  return `${t("rules.used", { count: rule.uses, time })} · ${made}`;
}

/** The name of what a rule covers: a tool, or a scope with all its tools. */
export function coveredName(
  language: LocaleName,
  { grants }: AgentDetails,
  covers: string,
): string {
  const scope = grants.find((grant) => grant.scope.id === covers)?.scope;
  return scope === undefined ? toolLabel(language, covers) : scopeLabel(language, scope);
}

/** What an agent may do without asking, in words; unsafe characters are not escaped yet. */
export const quietPeriodCovers = (
  t: Translate,
  { project, ...of }: Pick<QuietPeriodView, "scope" | "subject" | "project">,
): string => inProject(t, coveredWords(t, of), "path" in of.subject ? undefined : project);

function coveredWords(
  t: Translate,
  { scope, subject }: Pick<QuietPeriodView, "scope" | "subject">,
): string {
  switch (subject.kind) {
    case "host":
      return t("permissions.quiet_period_covers.host", { host: hostText(subject) });
    case "folder":
    case "file":
    case "named_file":
      return t(`permissions.quiet_period_covers.${subject.kind === "folder" ? "folder" : "file"}`, {
        path: subject.path,
      });
    case "commands":
      return t("permissions.quiet_period_covers.commands", {
        commands: subject.commands.map(commandText).join(", "),
      });
    case "tool":
      return t("permissions.quiet_period_covers.tool", { tool: subject.tool });
    case "scope":
      // Sending data is asked about each time (contract §3).
      return scope === "network:http"
        ? t("permissions.quiet_period_covers.scope_network")
        : t("permissions.quiet_period_covers.scope");
    default:
      return assertNever(subject);
  }
}
