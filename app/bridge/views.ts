import type { ChainFault } from "../contract/audit-log.ts";
import type { Sensitivity } from "../contract/scopes.ts";
import type { Settings } from "../contract/settings.ts";
import type { CallTarget } from "../contract/target/target.ts";
import { type CarriedOut, type DecidedBy, ENDINGS, type Ending } from "../contract/tool-call.ts";
import type { UpdateFault } from "../contract/update-faults.ts";
import type { AgentDetails, KeysView, PairingView } from "./agent-views.ts";
import type {
  ConsentCard,
  HeldDenialView,
  MissedView,
  RunningView,
  TurnedAwayView,
} from "./consent-views.ts";
import type { HubView } from "./hub-calls.ts";
import type { ModelView } from "./model-view.ts";

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
  /** What it was about; absent where that is not kept. */
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
    | "sample_agent_failed"
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
  readonly hub: HubView;
  readonly data_dir: string;
  readonly settings: Settings;
  /** Every call is refused until the person resumes. */
  readonly paused: boolean;
  /** Whether the program starts when the person logs in; null: the host cannot arrange it. */
  readonly login_start: "on" | "off" | null;
  /** Null: somebody else updates this program. */
  readonly updates: UpdatesView | null;
  /** Null: nobody manages this computer's Consentry. */
  readonly policy: PolicyView | null;
  readonly agents: readonly AgentDetails[];
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

/** What is wrong with a policy file. */
const POLICY_FAULTS = [
  "unreadable",
  "not_protected",
  "open_to_others",
  "too_large",
  "not_utf8",
  "too_deep",
  "not_json",
  "unknown_member",
  "missing_member",
  "wrong_value",
  "hub_differs",
] as const;

type PolicyFaultCode = (typeof POLICY_FAULTS)[number];

export interface PolicyFault {
  readonly file: string;
  readonly code: PolicyFaultCode;
  /** Where in the file; null: it is about the whole. */
  readonly place: {
    readonly line: number;
    readonly column: number;
    /** A JSON Pointer. */
    readonly pointer: string;
  } | null;
}

/** What an administrator has decided for this computer. */
export type PolicyView =
  | {
      readonly state: "applied";
      readonly files: readonly string[];
      /** How many keys are allowed; null: any. */
      readonly allowed_agents: number | null;
      readonly denied_scopes: readonly string[];
      readonly sensitivities: readonly {
        readonly scope: string;
        readonly least: Sensitivity;
      }[];
      /** Of both lists, those that are none of the catalogue's: an agent's own, or a slip. */
      readonly unknown_scopes: readonly string[];
      readonly hub_managed: boolean;
      /** Null: as without a policy. */
      readonly retention_days: number | null;
      readonly updates_off: boolean;
    }
  /** Nothing is done until the file is mended. */
  | { readonly state: "broken"; readonly fault: PolicyFault };

/** How far the program is with its own update. */
export interface UpdatesView {
  /** `ready`: fetched, and installed when the program ends. */
  readonly state: "idle" | "looking" | "fetching" | "ready";
  /** The version that is fetched or ready. */
  readonly version: string | null;
  /** Why the last attempt came to nothing. */
  readonly fault: UpdateFault | null;
  /** When it was last looked for, in milliseconds since the epoch. */
  readonly checked_at: number | null;
}
