import type { ChainFault } from "../contract/audit-log.ts";
import type { CallSubject } from "../contract/call-subject.ts";
import type { ConsentRequest } from "../contract/consent-request.ts";
import type { ManifestProblem, ManifestWarning } from "../contract/manifest-remarks.ts";
import type { NetworkHost } from "../contract/network-host.ts";
import type { Rule } from "../contract/rule.ts";
import type { Sensitivity } from "../contract/scopes.ts";
import type { Settings } from "../contract/settings.ts";
import type { CallTarget } from "../contract/target/target.ts";
import { type CarriedOut, type DecidedBy, ENDINGS, type Ending } from "../contract/tool-call.ts";
import type { AgentNames, AgentSigns, NameMark } from "./agent-names.ts";
import type { Delivery, MissedView, RelationStatus, TurnedAwayView } from "./agent-views.ts";
import type { AgentWords } from "./agent-words.ts";
import type { KeysView } from "./key-views.ts";
import type { ModelView } from "./model-calls.ts";
import type { LocalPairing } from "./pairing-views.ts";
import type { ManagedAgent, PolicyView } from "./policy-views.ts";
import type { UpdatesView } from "./update-views.ts";

/** What the renderer is shown. Times are milliseconds since the epoch unless said otherwise. */
export interface ConsentCard extends ConsentRequest, AgentSigns {
  /** Null until the card is seen; then the milliseconds left when this view was made. */
  readonly remaining_ms: number | null;
  /** For how many milliseconds from then on the countdown stands still, because the person reads. */
  readonly held_ms: number;
  readonly asked_at: number;
  /** The person's own name for the agent. */
  readonly petname: string | null;
  /**
   * How many of the agent's notifications of the last minute share one notification with this request;
   * 0: it has its own.
   */
  readonly folded: number;
  /** Whether `conversation_id` is the agent's own with the person; only there do agents have tools. */
  readonly in_own_conversation: boolean;
  /** Of this tool and its permission. */
  readonly said: AgentWords;
  /** Paths of the folders that the agent has been given by now. */
  readonly folders: readonly string[];
  /** How many requests like this one the agent has made since the start, with this one. */
  readonly alike: number;
}

/** A request that was denied, while the person can still take that back. */
export interface HeldDenialView {
  readonly card: ConsentCard;
  /** Milliseconds left when this view was made. */
  readonly leaves_in_ms: number;
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

/** A call that runs at this moment. */
export interface RunningView {
  readonly call_id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly conversation_id: string;
  readonly tool_name: string;
  readonly target: CallTarget;
  readonly arrived_at: number;
  readonly progress: ToolProgressView | null;
}

export interface ToolProgressView {
  readonly done: number;
  /** Null where it cannot be known. */
  readonly total: number | null;
  readonly unit: "files" | "bytes" | "entries";
  /** The last lines that a command wrote, oldest first. */
  readonly tail: readonly string[];
}

interface HostView extends NetworkHost {
  readonly added_at: number;
}

/** The agent's own name stays visible next to the person's. */
export interface AgentCard extends AgentNames, AgentSigns, ManagedAgent {
  readonly agent_id: string;
  /** Null for an agent of a channel other than the hub. */
  readonly conversation_id: string | null;
  readonly online: boolean;
  readonly relation: RelationStatus;
  readonly delivery: Delivery;
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

export const ACTIVITY_STATUSES = ["running", ...ENDINGS] as const;
export type ActivityStatus = (typeof ACTIVITY_STATUSES)[number];

/** One log entry: a call, the decision and the outcome. */
export interface ActivityRow {
  /**
   * Identifies the entry: it stays the same when the call ends, and differs for each logged arrival, so
   * that a call with a used id is listed in addition to the first one and never replaces it.
   */
  readonly line_id: number;
  /** Number of the call's newest record; pages are keyed by it. */
  readonly seq: number;
  readonly call_id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly tool_name: string;
  readonly scope: string;
  readonly arguments_digest: string;
  readonly conversation_id: string;
  readonly status: ActivityStatus;
  readonly reason: string | null;
  readonly error_code: string | null;
  readonly decided_by: DecidedBy;
  /** Which decision of the person's it followed, as the record says it (`Decision`). */
  readonly rule_id: string | null;
  readonly given_at: number | null;
  readonly given_on: string | null;
  readonly timestamp: number;
  readonly duration_ms: number | null;
  /** What its agent reported, which carried it out itself; null: nothing. */
  readonly carried_out: CarriedOut | null;
  /**
   * What it was about; absent once its arguments are not in the program's memory. The log itself never
   * has it.
   */
  readonly target?: CallTarget;
}

export interface ActivityPage {
  readonly rows: readonly ActivityRow[];
  /** Pass it as `before_seq` for the next page; null at the end. */
  readonly next_before_seq: number | null;
}

/** How many calls ended in which way. */
export type ActivityCounts = Readonly<Record<Ending, number>>;

export interface ActivitySummary {
  readonly total: number;
  /** Oldest first; `day` is the day's beginning in UTC. Days without calls are left out. */
  readonly days: readonly (ActivityCounts & { readonly day: number })[];
  /** Most calls first. */
  readonly agents: readonly (ActivityCounts & {
    readonly agent_id: string;
    readonly agent_name: string;
  })[];
}

/** The counts of one stretch of the log, the newest stretch first; days and agents in no order. */
export interface SummaryStep extends ActivitySummary {
  /** Where the next stretch begins; null: everything is counted. */
  readonly next_before_seq: number | null;
}

export interface ChainView {
  readonly ok: boolean;
  readonly verified: number;
  readonly seq: number | null;
  readonly fault: ChainFault | null;
  /** Rollbacks the person has acknowledged, oldest first; none if verification fails. */
  readonly acknowledged: readonly {
    /** Number of the first entry that was lost. */
    readonly first_lost: number;
    /** Milliseconds since the epoch. */
    readonly acknowledged_at: number;
  }[];
}

/** Where a file that the person asked for is. */
export type FileDelivery =
  /** The page must open this address of its own host soon; it works once. */
  | { readonly kind: "download"; readonly path: string }
  | { readonly kind: "saved" }
  | { readonly kind: "cancelled" };

/** Something the person must be told: a code, shown in their language. */
export interface Notice {
  readonly code:
    | "database_set_aside"
    | "log_rolled_back"
    | "own_data_linked"
    | "hub_recovered"
    | "agents_lost"
    | "agents_found"
    | "store_unwritable"
    | "hub_unreachable"
    | "sample_agent_failed"
    | "agent_withdrew"
    | "key_changed"
    | "key_changed_back"
    | "keys_fetched_again"
    | "keys_replaced"
    | "key_records_lost"
    | "ledger_disagrees"
    | "envelope_refused"
    | "members_left_out"
    | "identity_restored"
    | "history_full"
    | "update_ready"
    | "update_given_up"
    | "shortcut_taken";
  readonly params: Readonly<Record<string, string>>;
  /** Where the person can do something about it. */
  readonly conversations?: readonly { readonly conversation_id: string; readonly title: string }[];
}

/** The sample agent as this program started it. */
interface SampleAgentView {
  readonly state: "idle" | "running";
  /** What it shows while it asks to connect. */
  readonly code: string | null;
}

export interface Snapshot {
  readonly host: "desktop" | "browser";
  readonly version: string;
  readonly hub_url: string;
  readonly data_dir: string;
  readonly hub_connected: boolean;
  readonly settings: Settings;
  /** Every call is refused until the person resumes. */
  readonly paused: boolean;
  /** Whether the program starts when the person logs in; null: the host cannot arrange it. */
  readonly login_start: "on" | "off" | null;
  /** Null: somebody else updates this program. */
  readonly updates: UpdatesView | null;
  /** Null: nobody manages this computer's Consentry. */
  readonly policy: PolicyView | null;
  readonly agents: readonly AgentCard[];
  readonly pairings: readonly PairingView[];
  readonly consents: readonly ConsentCard[];
  readonly denials: readonly HeldDenialView[];
  readonly running: readonly RunningView[];
  readonly missed: MissedView;
  readonly turned_away: TurnedAwayView;
  /** Whether `folders.pick` can show the system's own folder picker. */
  readonly folder_picker: boolean;
  readonly notices: readonly Notice[];
  readonly sample_agent: SampleAgentView;
  /** Null: the person has connected none. */
  readonly model: ModelView | null;
  readonly keys: KeysView;
}
