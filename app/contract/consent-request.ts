import type { CallSubject } from "./call-subject.ts";
import type { FoundLine } from "./command-line.ts";
import type { ConsentPreview } from "./consent-preview.ts";
import type { JsonObject } from "./json.ts";
import type { KeyMark } from "./key-mark.ts";
import { LIMITS } from "./limits.ts";
import type { NetworkHost } from "./network-host.ts";
import type { OfferedSubject, RuleSubject } from "./rule.ts";
import type { Sensitivity } from "./scopes.ts";
import type { Settings } from "./settings.ts";

export const ANSWERS = [
  "deny",
  "allow_once",
  /** A quiet period for what the card shows. */
  "allow_in_conversation",
  /** The same until the agent has done what the person asked it last. */
  "allow_in_prompt",
  /** A quiet period for the whole scope; offered where that is more. */
  "allow_scope_in_conversation",
  "always_deny",
] as const;
export type Answer = (typeof ANSWERS)[number];

/**
 * What each level offers (contract §3). Closing the card, a crash or a lost UI is not an answer. The wider
 * answer speaks of public hosts and of the agent's folders: a card that gives a host of the person's own
 * network is without it, and one for what the agent carries out itself, which no folder or host of ours limits.
 */
export function offeredAnswers(
  sensitivity: Sensitivity,
  subject: CallSubject | null,
  { host_wanted, decided_only, in_prompt }: OfferTerms,
): readonly Answer[] {
  if (sensitivity === "high") return ["deny", "allow_once", "always_deny"];
  if (subject === null) return ["deny", "allow_once"];
  const isPart = subject.kind !== "scope" && subject.kind !== "commands";
  const isWider = isPart && host_wanted === null && !decided_only;
  const wider = isWider ? (["allow_scope_in_conversation"] as const) : [];
  const prompt = in_prompt ? (["allow_in_prompt"] as const) : [];
  return ["deny", "allow_once", ...prompt, "allow_in_conversation", ...wider];
}

interface OfferTerms extends Pick<ConsentRequest, "host_wanted" | "decided_only"> {
  /** The agent tells when a prompt begins and ends, and one is under way. */
  readonly in_prompt: boolean;
}

/**
 * How long the person has to answer once the card is visible, in milliseconds; null: no limit
 * (contract §3).
 *
 * @param isLocal the agent is a program on this computer
 */
export function deadlineFor(
  sensitivity: Sensitivity,
  { consent_timeout_ms }: Pick<Settings, "consent_timeout_ms">,
  isLocal: boolean,
): number | null {
  if (sensitivity !== "high") return null;
  return isLocal ? Math.max(consent_timeout_ms, LIMITS.consentTimeoutLocalMs) : consent_timeout_ms;
}

export const isApproval = (answer: Answer): boolean =>
  answer !== "deny" && answer !== "always_deny";

/** Why a single call of an agent's own tool is high (contract §3). */
export type RaisedBy =
  | "unreadable"
  | "dangerous"
  | "special_place"
  | "outside_project"
  | "destructive"
  | "leaves_sandbox";

/** What the person is asked. `arguments` is the frozen value that will run, not a copy of it. */
export interface ConsentRequest {
  readonly request_id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  /** Shown next to the name, which any agent may claim. */
  readonly key_mark: KeyMark;
  readonly conversation_id: string;
  readonly call_id: string;
  readonly tool_name: string;
  readonly description_i18n_key: string;
  readonly description_fallback: string | null;
  readonly arguments: JsonObject;
  readonly arguments_digest: string;
  readonly scope: string;
  readonly scope_label_i18n_key: string;
  readonly scope_label_fallback: string | null;
  readonly sensitivity: Sensitivity;
  /** What "allow in this conversation" would cover; null: it is not offered. */
  readonly subject: CallSubject | null;
  readonly answers: readonly Answer[];
  /** What a rule made on this card could be about, the narrowest first. */
  readonly rule_subjects: readonly OfferedSubject[];
  /** What a rule that denies could be about instead of all that the tool does, the narrowest first. */
  readonly deny_subjects: readonly RuleSubject[];
  /** A folder the agent must be given before this can run; the person may choose a different one. */
  readonly root_wanted: {
    readonly suggested_path: string;
    readonly access: "read" | "read_write";
    /** The one file that would do, which the person may give instead; null: a folder is needed. */
    readonly file: string | null;
    /** The call names the suggested folder by `at`, which leads to it. */
    readonly link?: { readonly at: string; readonly to: string };
  } | null;
  /** A host of the person's own network that the call would reach; null: none, or already allowed. */
  readonly host_wanted: NetworkHost | null;
  readonly preview: ConsentPreview | null;
  /** The agent carries it out itself, where none of our limits hold. */
  readonly decided_only: boolean;
  /** The folders that such an agent has open, with every link resolved; none: not known. */
  readonly open_folders: readonly string[];
  /** The agent has a dialog of its own, which comes if the person leaves the answer to it. */
  readonly dialog_after: boolean;
  /** Of a command line that an agent runs: its commands, or why it is not read. */
  readonly line: FoundLine | null;
  /** What makes this one call high. */
  readonly raised: readonly RaisedBy[];
  /** The arguments with every link resolved; null: they lead where they say. */
  readonly leads_to: JsonObject | null;
  /** `deadlineFor` it. */
  readonly timeout_ms: number | null;
}
