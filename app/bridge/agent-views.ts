import type { CallSubject } from "../contract/call-subject.ts";
import type { HookWay } from "../contract/hook-way.ts";
import type { KeyMark } from "../contract/key-mark.ts";
import type { BreakingReason } from "../contract/manifest.ts";
import type { ManifestProblem, ManifestWarning } from "../contract/manifest-remarks.ts";
import type { NetworkHost } from "../contract/network-host.ts";
import type { Rule } from "../contract/rule.ts";
import type { Sensitivity } from "../contract/scopes.ts";

/** An agent's names. */
export interface AgentNames {
  /** Its own name; any agent may claim any name. */
  readonly name: string;
  /** The person's own name for it. */
  readonly petname: string | null;
}

/**
 * Why a name needs a closer look (UTS #39): one of its words mixes alphabets, or it uses letters of
 * another alphabet that all look Latin.
 */
export type NameMark = "mixed_scripts" | "looks_latin";

/** How an agent is distinguished from others, as the program determined it. */
export interface AgentSigns {
  readonly key_mark: KeyMark;
  /** Another agent has a name that looks the same. */
  readonly name_is_shared: boolean;
  readonly name_mark: NameMark | null;
  /** Of a program on this computer: the name of the folder it was connected from, where that is known. */
  readonly project?: string;
  /** Full path of that folder. */
  readonly project_folder?: string;
}

/** The name that the program uses for an agent: the person's, else the agent's own. */
export const shownName = ({ name, petname }: AgentNames): string => petname ?? name;

/** The texts that a label needs, in the person's language. */
interface LabelTexts {
  (key: `agents.key_is.${Exclude<KeyMark["kind"], "known" | "none">}`): string;
  (
    key: "app.bracketed" | "app.in_project",
    parts: { readonly text: string; readonly note: string },
  ): string;
}

/**
 * What is shown next to a name that could deceive on its own: the whole fingerprint, because somebody
 * could compute a key that matches part of it; of a program on this computer, which has none, its project. Null: the
 * name is enough, or there is nothing.
 */
export function keyBeside(
  t: LabelTexts,
  { key_mark: key, name_is_shared, name_mark, project }: AgentSigns,
): string | null {
  if (!name_is_shared && name_mark === null) return null;
  if (key.kind === "none") return project ?? null;
  return key.kind === "known" ? key.fingerprint : t(`agents.key_is.${key.kind}`);
}

/** An agent's name where there is no room for anything else. @param drawn as it is drawn */
export function labelWith(t: LabelTexts, drawn: string, signs: AgentSigns): string {
  const key = keyBeside(t, signs);
  if (key === null) return drawn;
  return signs.key_mark.kind === "none"
    ? t("app.in_project", { text: drawn, note: key })
    : t("app.bracketed", { text: drawn, note: key });
}

/** Characters of one text that an agent wrote about itself. */
export const AGENT_WORDS_MAX = 300;

/** Tools of one permission whose descriptions are shown. */
export const AGENT_WORDS_TOOLS = 10;

/**
 * What an agent's manifest says of a permission in words of its own, each cut to `AGENT_WORDS_MAX`.
 * Nobody has checked them: shown below our own words and marked as the agent's. Null: it says nothing.
 */
export interface AgentWords {
  readonly label: string | null;
  readonly description: string | null;
  /** Only tools that it describes. */
  readonly tools: readonly { readonly name: string; readonly words: string }[];
  /** Further tools that it describes. */
  readonly more: number;
}

export interface ScopeView {
  readonly id: string;
  readonly label_i18n_key: string;
  readonly label_fallback: string | null;
  /** The effective one: the highest of manifest, preset table and catalogue. */
  readonly sensitivity: Sensitivity;
  /** The names of the tools that use it. */
  readonly tools: readonly string[];
  /** True when a tool marked `required` needs it. */
  readonly needed: boolean;
  /** What an administrator decided about it: nobody can give it, or it is more sensitive; null: nothing. */
  readonly managed: "denied" | "raised" | null;
  readonly said: AgentWords;
}

export interface PairingView extends ManagedAgent {
  readonly pairing_id: string;
  /** The same code the agent shows. */
  readonly code: string;
  readonly name: string;
  /** Agents with a name that looks the same. */
  readonly lookalikes: readonly string[];
  readonly name_mark: NameMark | null;
  readonly scopes: readonly ScopeView[];
  readonly warnings: readonly ManifestWarning[];
  readonly problems: readonly ManifestProblem[];
  readonly expires_at: number;
  /** Of a program on this computer; null: an agent of the hub. */
  readonly local: LocalPairing | null;
}

/** An agent that is registered at the hub and that the person may add. */
export interface RegisteredAgentView
  extends Pick<PairingView, "name" | "lookalikes" | "name_mark" | "scopes" | "warnings"> {
  readonly agent_id: string;
  readonly agent_version: string;
  readonly manifest_version: number;
  /** SHA-256 of the manifest, lowercase hex. */
  readonly manifest_digest: string;
}

/** An agent that the person has just registered. */
export interface NewRegistration {
  readonly agent_id: string;
  /** Told only here: the hub keeps its hash. */
  readonly token: string;
}

export interface GrantView {
  readonly scope: ScopeView;
  readonly state: "granted" | "revoked" | "awaiting_reconsent" | "never_granted";
  /** What the manifest calls it, where that differs from the one the person has reviewed. */
  readonly declared: { readonly before: Sensitivity; readonly after: Sensitivity } | null;
  /** While it waits for an answer, also for changes that were taken back meanwhile. */
  readonly reasons: readonly BreakingReason[];
}

export interface QuietPeriodView {
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly scope: string;
  readonly subject: CallSubject;
  readonly opened_at: number;
  readonly ends_at: number;
  /** The call on whose card it was given; null: not known. */
  readonly made_on: string | null;
  /** Only where the agent has this folder open. */
  readonly project?: string;
  /** It ends with the prompt. */
  readonly for_prompt?: true;
}

export type RuleView = Omit<Rule, "manifest_hash">;

export interface RootView {
  readonly root_id: string;
  readonly path: string;
  readonly access: "read" | "read_write";
  /** The path is one file, and nothing else is given. */
  readonly only_file: boolean;
  readonly ends_at: number | null;
  /** It ends when the agent has gone, and when the program ends. */
  readonly for_task: boolean;
}

interface HostView extends NetworkHost {
  readonly added_at: number;
}

/** The agent's own name stays visible next to the person's. */
export interface AgentDetails extends AgentNames, AgentSigns, ManagedAgent {
  readonly agent_id: string;
  /** Null for an agent of a channel other than the hub. */
  readonly conversation_id: string | null;
  readonly online: boolean;
  readonly relation: RelationStatus;
  readonly delivery: Delivery;
  /** Null: it has no hooks. */
  readonly hook_way: HookWay | null;
  readonly agent_version: string;
  readonly manifest_version: number;
  /** As RFC 8785 JSON. */
  readonly manifest_bytes: number;
  readonly changed_since_review: boolean;
  readonly grants: readonly GrantView[];
  readonly roots: readonly RootView[];
  /** Full paths of folders outside them that it tried lately, and that the person does not ignore. */
  readonly tried_folders: readonly string[];
  /** Hosts of the person's own network that it may reach. */
  readonly hosts: readonly HostView[];
  readonly quiet_periods: readonly QuietPeriodView[];
  readonly rules: readonly RuleView[];
}

/** An agent's status at the hub. */
const RELATION_STATUSES = ["active", "suspended", "revoked"] as const;

export type RelationStatus = (typeof RELATION_STATUSES)[number];

/**
 * How an agent is reached: through the hub, or without it on this computer. Over a webhook only the
 * layers L1 to L3 and L6 protect a message.
 */
const DELIVERIES = ["websocket", "webhook", "local", "hook"] as const;

export type Delivery = (typeof DELIVERIES)[number];

/** The most characters of a name that the person gives an agent. */
export const PETNAME_MAX = 64;

/** A program on this computer that asks for something, as the system describes it. */
export interface AskingProgram {
  readonly pid: number;
  readonly executable: string;
  /** The folder it works in; null: not known. */
  readonly folder: string | null;
  /** What started it, nearest first. */
  readonly parents: readonly { readonly pid: number; readonly executable: string }[];
  /** The nearest of them that is neither a shell nor npm; null: not known. */
  readonly started_by: string | null;
}

/**
 * What a program on this computer asks the person: to be added as an agent, to use an agent's token
 * from another program than before, or for more permissions.
 */
const LOCAL_ASKS = ["connect", "other_program", "more_scopes"] as const;

export type LocalAsk = (typeof LOCAL_ASKS)[number];

/** How an agent without the hub is reached. */
export type LocalDelivery = Extract<Delivery, "hook" | "local">;

/** What stands on a pairing's card for a program on this computer. */
export interface LocalPairing {
  readonly asks: LocalAsk;
  /** The agent it is already; null: none yet. */
  readonly agent_id: string | null;
  /** An agent with this program's name and project, that it can be merged with; null: there is none. */
  readonly same_as: string | null;
  /** Null: the system does not say which program it is. */
  readonly program: AskingProgram | null;
  readonly delivery: LocalDelivery;
  /** Whether it shows the person the same code, to compare. */
  readonly shows_code: boolean;
}

/** A safety number, in two forms. It is the same at both ends and is compared over another channel. */
export interface SafetyView {
  /** Twelve groups of five digits. */
  readonly digits: string;
  /** 24 words. */
  readonly words: string;
}

/** How a relation is encrypted (docs/encryption.md, "Levels"). */
type EncryptionLevelView = "ratchet" | "sealed";

/** The state of the signed ledger at the hub (docs/encryption.md, "L6"). */
const LEDGER_STATES = ["in_step", "unchecked", "rolled_back", "forged", "forked"] as const;

export type LedgerState = (typeof LEDGER_STATES)[number];

export interface AgentKeyView {
  readonly agent_id: string;
  readonly level: EncryptionLevelView;
  /** The person has compared the number. */
  readonly verified: boolean;
  readonly safety: SafetyView;
  /** The agent's key has changed: none of its calls run until the person accepts this number. */
  readonly changed: SafetyView | null;
  /** None of its calls run unless this is `in_step`. */
  readonly ledger: LedgerState;
}

export interface PairingKeyView {
  readonly pairing_id: string;
  readonly level: EncryptionLevelView;
  readonly safety: SafetyView;
  /** As it will be shown next to the agent's name. */
  readonly fingerprint: string;
}

export interface KeysView {
  readonly agents: readonly AgentKeyView[];
  readonly pairings: readonly PairingKeyView[];
  /** A backup was restored and takes effect at the next start. */
  readonly restart_needed: boolean;
}

/** What an administrator's policy says about an agent, or about one that asks to be added. */
export interface ManagedAgent {
  /** Its key is none of those that may ask: no permission of its counts. */
  readonly not_allowed?: true;
}
