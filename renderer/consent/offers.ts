import type { RootTerms } from "../../app/bridge/calls.ts";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { fileOf } from "../../app/contract/call-subject.ts";
import type { Answer } from "../../app/contract/consent-request.ts";
import { hostText } from "../../app/contract/network-host.ts";
import type {
  CommandBeginning,
  OfferedSubject,
  RootTime,
  RuleTime,
} from "../../app/contract/rule.ts";
import { targetPath } from "../../app/contract/target/target.ts";
import type { Translate } from "../../i18n/index.ts";
import { shortCommand } from "../text/rule-words.ts";
import { visibleString } from "../text/visible-text.ts";

/** How long an approval lasts: the chips of a card. */
export const LASTS = [
  "once",
  "prompt",
  "conversation",
  "minutes",
  "hours",
  "today",
  "always",
] as const;
export type Lasts = (typeof LASTS)[number];

/** How long what is opened with it stays open. */
export const ROOT_TIME = {
  once: "once",
  prompt: "once",
  conversation: "task",
  minutes: "minutes",
  hours: "hours",
  today: "today",
  always: "always",
} as const satisfies Record<Lasts, RootTime>;

export interface OfferedRule {
  readonly subject: OfferedSubject;
  readonly time: RuleTime;
}

/** What an approval gives the agent besides this call. */
export interface GivenRoot {
  readonly path: string;
  readonly terms: RootTerms;
}

/** What an approval lets happen without asking from then on. */
type Unasked =
  | { readonly kind: "scope" | "hosts" | "folders" | "tool" }
  | { readonly kind: "host"; readonly host: string }
  | { readonly kind: "named_tool"; readonly tool: string }
  | { readonly kind: "commands"; readonly commands: readonly CommandBeginning[] }
  | { readonly kind: "in" | "file"; readonly path: string };

/** One approval that a card offers. */
export interface Offer {
  readonly answer: Exclude<Answer, "deny" | "always_deny">;
  readonly rule: OfferedRule | null;
  /** Null: the next call is asked about like this one. */
  readonly unasked: Unasked | null;
}

const JUST_THIS: Offer = { answer: "allow_once", rule: null, unasked: null };

type OfferingCard = Pick<
  ConsentCard,
  "answers" | "subject" | "rule_subjects" | "tool_name" | "arguments"
>;

/** What a card offers for so long, the narrowest first. @param root opened with it, or null */
export function offersFor(
  card: OfferingCard,
  lasts: Lasts,
  root: Pick<GivenRoot, "path" | "terms"> | null,
): readonly Offer[] {
  if (lasts === "once") return [JUST_THIS];
  const lasting =
    lasts === "conversation" || lasts === "prompt"
      ? inConversation(card, lasts === "prompt")
      : byRule(card, lasts, root);
  return lasting.length === 0 && root !== null ? [JUST_THIS] : lasting;
}

function inConversation(
  { answers, subject, ...card }: OfferingCard,
  inPrompt: boolean,
): readonly Offer[] {
  if (subject === null) return [];
  const wider = subject.kind === "host" ? "hosts" : "folders";
  const unasked = unaskedOf(subject, card);
  if (inPrompt && !answers.includes("allow_in_prompt")) return [];
  if (inPrompt) return [{ answer: "allow_in_prompt", rule: null, unasked }];
  const offers: readonly Offer[] = [
    { answer: "allow_in_conversation", rule: null, unasked },
    { answer: "allow_scope_in_conversation", rule: null, unasked: { kind: wider } },
  ];
  return offers.filter(({ answer }) => answers.includes(answer));
}

/** A rule about what is opened, where something is: it gives nothing itself. */
function byRule(
  card: OfferingCard,
  time: RuleTime,
  root: Pick<GivenRoot, "path" | "terms"> | null,
): readonly Offer[] {
  const opened =
    root?.terms.only_file === true ? fileOf({ name: card.tool_name }, card.arguments) : root?.path;
  return card.rule_subjects
    .filter((subject) => root === null || (subject.kind === "path" && subject.path === opened))
    .map((subject) => ({
      answer: "allow_once",
      rule: { subject, time },
      unasked: unaskedOf(subject, card),
    }));
}

function unaskedOf(
  subject: OfferedSubject | NonNullable<ConsentCard["subject"]>,
  { tool_name, arguments: args }: Pick<OfferingCard, "tool_name" | "arguments">,
): Unasked {
  switch (subject.kind) {
    case "scope":
      return { kind: "scope" };
    case "anything":
      return { kind: tool_name === "fetch_url" ? "hosts" : "tool" };
    case "host":
      return { kind: "host", host: hostText(subject) };
    case "folder":
    case "file":
    case "named_file":
    case "path": {
      const isFile = subject.path === fileOf({ name: tool_name }, args);
      return { kind: isFile ? "file" : "in", path: subject.path };
    }
    case "command":
      return { kind: "commands", commands: [subject] };
    case "commands":
      return subject;
    case "tool":
      return { kind: "named_tool", tool: subject.tool };
    default:
      return assertNever(subject);
  }
}

interface Naming {
  /** The agent's folders: a path begins with the name of the one that it is in. */
  readonly folders: readonly string[];
  /** As they are displayed. */
  readonly scope: string;
  readonly tool: string;
  /** The folder that an agent with tools of its own has open; null: none. */
  readonly project: string | null;
}

/** What happens without asking, in words. A rule holds in the project where it was made. */
export function unaskedWords(t: Translate, offer: Offer, naming: Naming): string | null {
  const what = everywhereWords(t, offer, naming);
  const { rule } = offer;
  if (what === null || rule === null || rule.subject.kind === "path" || naming.project === null) {
    return what;
  }
  const project = visibleString(naming.project.replace(/^.*[\\/]/s, ""));
  return t("consent.unasked.in_project", { what, project });
}

function everywhereWords(t: Translate, { rule, unasked }: Offer, naming: Naming): string | null {
  if (unasked === null) return null;
  // A quiet period covers the permission, a rule the tool alone.
  const what = rule === null ? naming.scope : naming.tool;
  switch (unasked.kind) {
    case "scope":
    case "tool":
    case "folders":
      return t(`consent.unasked.${unasked.kind}`, { what });
    case "hosts":
      return t("consent.unasked.hosts");
    case "commands": {
      const commands = unasked.commands.map((each) => visibleString(shortCommand(each)));
      return t("consent.unasked.commands", { commands: commands.join(", ") });
    }
    case "named_tool":
      return t("consent.unasked.tool", { what: visibleString(unasked.tool) });
    case "host":
      return t("consent.unasked.host", { host: visibleString(unasked.host) });
    case "in":
    case "file": {
      const path = visibleString(shortPath(unasked.path, naming.folders));
      return t(`consent.unasked.${unasked.kind}`, { what, path });
    }
    default:
      return assertNever(unasked);
  }
}

/** Begins with the agent's folder, as in the card's question; whole if it is in none. */
export function shortPath(path: string, folders: readonly string[]): string {
  const target = targetPath(path, folders, 1);
  return target?.inside === true && target.whole ? target.lead + target.name : path;
}
