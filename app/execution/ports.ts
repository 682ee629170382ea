import type { IntentRecord, OutcomeRecord } from "../audit/audit-record.ts";
import type { ConsentQueue } from "../consent/consent-queue.ts";
import type { GivenAnswers } from "../contract/asked-questions.ts";
import { errorKind } from "../contract/coded-error.ts";
import type { ERROR_REASONS, Refusal, ToolFailureWord } from "../contract/codes.ts";
import type { AgentEnvironment, PlacedCall } from "../contract/command-line.ts";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import type { RaisedBy } from "../contract/consent-request.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import type { SchemaViolation } from "../contract/json-schema/schema-violation.ts";
import type { KeyMark } from "../contract/key-mark.ts";
import type { NetworkHost } from "../contract/network-host.ts";
import type { MadeRule, Rule } from "../contract/rule.ts";
import type { Sensitivity } from "../contract/scopes.ts";
import type { Settings } from "../contract/settings.ts";
import type {
  DecidedBy,
  Decision,
  DecodedCall,
  ToolCall,
  ToolResponse,
} from "../contract/tool-call.ts";
import type { ToolContract } from "../contract/tools/tool-contract.ts";
import type { ChosenRoot, FolderLink, KnownAgent, Root } from "../grants/grant.ts";
import type { QuietPeriod, QuietPeriodKey, QuietPeriodPlace } from "../grants/quiet-period.ts";

/** Interfaces that `main/` implements. */

export interface TrustedClock {
  /** Milliseconds since the epoch; never decreases, not even across restarts. */
  now(): number;
}

export interface Scheduler {
  /** Runs once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** Why grants do not count for now: suspended (contract §7), or its key or ledger is in doubt (contract §9). */
export type Withheld = "suspended" | "keys_in_doubt";

/** An agent as its calls see it at this moment. */
export interface ServedAgent extends KnownAgent {
  readonly key_mark: KeyMark;
  readonly withheld: Withheld | null;
  /** Whether an administrator's policy denies it a scope, whatever was granted (contract §13); absent: none. */
  readonly isDenied?: (scope: string) => boolean;
  /** What a policy says of a scope's calls at least; absent: nothing. */
  readonly leastByPolicy?: (scope: string) => Sensitivity | undefined;
  /** As it was told last, of an agent that carries its calls out itself; absent: not since the start. */
  readonly environment?: AgentEnvironment;
}

/** One channel's agents (contract §2.2, §2.3). The chain asks it before it checks a call, so that none skips a gate. */
export interface AgentSource {
  /**
   * Resolves when it is the agent's turn and nothing is under way that could still change what `agent`
   * returns: a call may have overtaken earlier news about its agent. Never rejects.
   */
  ready(agentId: string): Promise<void>;
  /** Undefined: not one of this channel's agents. */
  agent(agentId: string): ServedAgent | undefined;
  /** True when it has been away longer than a reconnect takes: the person is asked nothing for it. */
  isGone(agentId: string): boolean;
}

/** The person's switch that pauses all agents (contract §3). */
export interface PauseSwitch {
  isOn(): boolean;
}

/** What the person has set. */
export interface SettingsReader {
  current(): Settings;
}

/** Quiet periods and rules. Reads are from memory; writes resolve once durable. */
export interface GrantAccess {
  /** All that were opened at this place, including those that are over. */
  quietPeriods(place: QuietPeriodPlace): readonly QuietPeriod[];
  startQuietPeriod(period: QuietPeriod): Promise<void>;
  endQuietPeriod(key: QuietPeriodKey): Promise<void>;
  /** Extends a quiet period. If a crash loses this, the period only becomes shorter. */
  touchQuietPeriod(key: QuietPeriodKey, now: number): void;
  /** All rules of an agent, including those that are over. */
  rules(agentId: string): readonly Rule[];
  /** Replaces the agent's rule about the same, if there is one. */
  addRule(rule: MadeRule): Promise<Rule>;
  /** Counts a use. If a crash loses this, only the count is wrong. */
  countUse(ruleId: string, now: number): void;
  /** Gives the agent a folder; resolves to the root once durable. */
  addRoot(agentId: string, chosen: ChosenRoot): Promise<Root>;
  /** Lets the agent reach a host of the person's own network; resolves once durable. */
  addHost(agentId: string, host: NetworkHost): Promise<void>;
}

/** What the log knows about an earlier call (contract §2.0). */
export interface PastCall {
  readonly tool_name: string;
  readonly arguments_digest: string;
}

export interface CallLedger {
  /** False while it is known that nothing can be stored: then nothing may run. */
  canRecord(): boolean;
  /** @throws what reading may fail with, as `pastResponse` does */
  find(agentId: string, callId: string): PastCall | undefined;
  /** Read with the same arguments; `undefined` when the result is no longer stored. */
  pastResponse(agentId: string, call: ToolCall): ToolResponse | undefined;
  /**
   * Resolves once durable. If it rejects, nothing may run.
   * @param args of which only keyed digests of what they name are kept, here and below
   */
  recordIntent(intent: IntentRecord, args?: JsonObject): Promise<void>;
  /**
   * Resolves once durable. `answered` keeps the response for a later replay; absent for a call
   * that must not shadow the one whose id it reused.
   */
  recordOutcome(outcome: OutcomeRecord, answered?: AnsweredCall, args?: JsonObject): Promise<void>;
}

export interface AnsweredCall {
  readonly call: ToolCall;
  readonly response: ToolResponse;
  /** Nobody will ask again: a result is not stored. */
  readonly isOnlyDelivery?: true;
}

/** Agent-written schemas, in a worker that can be killed (contract §2.4). */
export interface ArgumentsValidator {
  validate(job: {
    readonly owner: string;
    readonly schema: JsonObject;
    readonly canonicalArguments: string;
  }): Promise<
    | { readonly kind: "valid" | "unusable" | "undecided" | "busy" }
    | { readonly kind: "invalid"; readonly violation: SchemaViolation }
  >;
}

/** What an agent was given besides its scopes. */
export type Held = Pick<KnownAgent, "roots" | "hosts">;

/** One tool as this platform implements it. */
export interface Tool {
  /** The call is only decided here; the agent itself carries it out, and `run` does nothing. */
  readonly decidedOnly?: true;
  /** False while the platform cannot run it: `TOOL_UNAVAILABLE`. */
  available(): boolean;
  /**
   * What can be told without any effect: the failure code if the call cannot succeed, what the person
   * must give first, else null.
   */
  preflight(args: JsonObject, held: Held): Preflight | null;
  /** What is wanted, with every link of the suggested folder resolved. It waits for a disk. */
  realWanted?(wanted: RootWanted): Promise<RootWanted>;
  /** The arguments with the roots' links resolved; the same object where they name none. */
  throughLinks?(args: JsonObject, roots: readonly Root[]): JsonObject;
  /**
   * Of what the agent carries out itself: the same arguments and folders with every link resolved. Null:
   * where one of them leads cannot be told.
   */
  placed?(args: JsonObject, environment: AgentEnvironment): Promise<PlacedCall | null>;
  /**
   * What the call would change as things are now, for the person to see. Called only when the person
   * will be asked, and changes nothing.
   * @throws ToolFailure
   */
  preview?(args: JsonObject, context: PreviewContext): Promise<Preview>;
  /** @throws ToolFailure, ToolUnavailable */
  run(args: JsonObject, context: ToolContext): Promise<JsonValue>;
}

export interface RootWanted {
  readonly kind: "root_wanted";
  readonly suggested_path: string;
  readonly access: Root["access"];
  /** The call names the suggested folder through this. */
  readonly link?: FolderLink;
}

export type Preflight =
  | { readonly kind: "refuse"; readonly word: ToolFailureWord }
  | RootWanted
  | { readonly kind: "host_wanted"; readonly host: NetworkHost };

export interface PreviewContext {
  readonly agent_id: string;
  /** Includes the folder that the call asks for, as if it had been given. */
  readonly roots: readonly Root[];
  /** Those that the agent was given. */
  readonly given: readonly Root[];
  readonly signal: AbortSignal;
}

export interface Preview {
  readonly shown: ConsentPreview | null;
  /** What `shown` was drawn from, in the tool's own form, so that `run` can notice a change. */
  readonly seen: string | null;
}

/** The progress of a long call. */
export interface ToolProgress {
  readonly done: number;
  /** Null where it cannot be known. */
  readonly total: number | null;
  readonly unit: "files" | "bytes" | "entries";
  /** The last lines that a command wrote, for the person to see while it runs. */
  readonly tail?: (() => readonly string[]) | undefined;
}

export interface ToolContext extends Pick<Given, "whole_scope" | "seen" | "chosen"> {
  readonly call_id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly conversation_id: string;
  readonly roots: readonly Root[];
  /** Hosts of the person's own network that this call may reach. */
  readonly hosts: readonly NetworkHost[];
  /** May be called as often as the tool likes. */
  progress(report: ToolProgress): void;
  /** Aborted at the time limit, on revocation and at shutdown: the work stops. */
  readonly signal: AbortSignal;
}

/** Thrown by a tool: a stable code and nothing else, so that no content can leak through it. */
export const toolFailure = errorKind<ToolFailureWord>("ToolFailure");

/** Thrown by a tool that notices only while running that it cannot work on this computer. */
export const toolUnavailable =
  errorKind<(typeof ERROR_REASONS)["TOOL_UNAVAILABLE"][number]>("ToolUnavailable");

export interface ToolBox {
  tool(entry: Pick<ToolContract, "name">): Tool | undefined;
}

/** The person. */
export type ConsentPort = Pick<ConsentQueue, "reserve" | "reconsider" | "wantNoRoot">;

/** A call as a channel passes it in, with what the channel knows about its arrival. */
export interface Arrival {
  readonly decoded: DecodedCall;
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly conversation_type: "h2h" | "h2a" | "group";
  readonly transport: string;
  /** Of an agent that carries the call out itself. */
  readonly environment?: AgentEnvironment;
  /** Aborted once the agent has done what the person asked it last; absent: it does not tell. */
  readonly prompt?: AbortSignal | undefined;
  /** The agent decides, and only what is denied here is stopped and logged (`before`); it has run (`after`). */
  readonly watched?: "before" | "after";
  /** Called of a watched call that is high by what it is, or that nobody could be shown; with why. */
  readonly raised?: (why: readonly RaisedBy[]) => void;
  /** A dialog of the agent's own comes unless this is answered. */
  readonly dialog_after?: true;
  /** The call's id is the channel's, for this delivery alone: nobody asks with it again, so no result is kept. */
  readonly isOnlyDelivery?: true;
  /**
   * Called with the response while its outcome is being recorded: the channel may prepare it, and
   * sends it only once `handleCall` has resolved to the same response.
   */
  readonly answering?: (response: ToolResponse) => void;
}

/** An arrival whose call could be read. */
export interface ReadableArrival extends Omit<Arrival, "decoded"> {
  readonly call: ToolCall;
  /** Milliseconds on the trusted clock. */
  readonly arrived_at: number;
}

/** What the call may use, and what the person saw. */
export interface Given {
  readonly kind: "given";
  readonly by: Decision;
  readonly roots: readonly Root[];
  /** What was given for this call alone; null: nothing. */
  readonly once: Root | null;
  readonly hosts: readonly NetworkHost[];
  /** All that the scope lets the agent do, not only what the call names. */
  readonly whole_scope: boolean;
  /** `Preview.seen` of what the person was shown; null when nothing was. */
  readonly seen: string | null;
  readonly shown: ConsentPreview | null;
  /** What the person answered where the agent asked them something. */
  readonly chosen?: GivenAnswers | undefined;
}

export type Permission =
  | Given
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly by: Decision }
  /** The program is shutting down; the call stays unanswered and is delivered again. */
  | { readonly kind: "postponed" };

export const refusedBy = (by: DecidedBy, refusal: Refusal): Permission => ({
  kind: "refused",
  refusal,
  by: { decided_by: by },
});
