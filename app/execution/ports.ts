import type { IntentRecord, OutcomeRecord } from "../audit/audit-record.ts";
import type { Verdict } from "../consent/verdict.ts";
import type { CatalogueEntry } from "../contract/catalogue.ts";
import type { ERROR_REASONS, ToolFailureWord } from "../contract/codes.ts";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import type { ConsentRequest } from "../contract/consent-request.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import type { KeyMark } from "../contract/key-mark.ts";
import type { NetworkHost } from "../contract/network-host.ts";
import type { Settings } from "../contract/settings.ts";
import type { ToolCall, ToolResponse } from "../contract/tool-call.ts";
import type { ChosenRoot, KnownAgent, Root } from "../grants/grant.ts";
import type { SilenceWindow, WindowKey, WindowPlace } from "../grants/silence-window.ts";
import type { StandingRule } from "../grants/standing-rule.ts";

/** Interfaces that `main/` implements. Nothing in `app/` knows how. */

export interface TrustedClock {
  /** Milliseconds since the epoch; never decreases, also across restarts. */
  now(): number;
}

export interface Scheduler {
  /** Runs once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

/**
 * Why nothing counts as granted to an agent for now, whatever the person granted: its relation is
 * suspended (contract §7), or its key or grant ledger is not to be trusted (contract §9).
 */
export type Withheld = "suspended" | "keys_in_doubt";

/** An agent as its calls are judged at this moment. */
export interface ServedAgent extends KnownAgent {
  readonly key_mark: KeyMark;
  readonly withheld: Withheld | null;
}

/**
 * Where one channel's agents come from (contract §2.2, §2.3). The chain asks it before it looks at
 * a call, so that no channel can leave a gate out.
 */
export interface AgentSource {
  /**
   * Resolves when nothing is under way that could still change what `agent` gives: a call may have
   * overtaken what its channel said of the agent before. Never rejects.
   */
  ready(agentId: string): Promise<void>;
  /** Undefined: none of this channel's agents. */
  agent(agentId: string): ServedAgent | undefined;
  /** True when it is away for longer than coming back takes: the person is asked nothing for it. */
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

/** Windows and standing rules. Reads are from memory; writes resolve once durable. */
export interface GrantBook {
  /** All that were opened at this place, also those that are over. */
  windows(place: WindowPlace): readonly SilenceWindow[];
  openWindow(window: SilenceWindow): Promise<void>;
  /** Slides a window. Losing a touch in a crash only makes the silence shorter. */
  touchWindow(key: WindowKey, now: number): void;
  rule(agentId: string, toolName: string): StandingRule | undefined;
  addRule(rule: StandingRule): Promise<void>;
  /** Gives the agent a folder; resolves to the root once durable. */
  addRoot(agentId: string, chosen: ChosenRoot): Promise<Root>;
  /** Lets the agent reach a host of the person's own network; resolves once durable. */
  addHost(agentId: string, host: NetworkHost): Promise<void>;
}

/** What the log knows of a call that came before (contract §2.0). */
export interface PastCall {
  readonly tool_name: string;
  readonly arguments_digest: string;
}

export interface CallLedger {
  find(agentId: string, callId: string): PastCall | undefined;
  /**
   * The response a past call was answered with; the same arguments are needed to read it.
   * `undefined` when its result is no longer kept.
   */
  pastResponse(agentId: string, call: ToolCall): ToolResponse | undefined;
  /** Resolves once durable. Rejects when it cannot be: then nothing may run. */
  recordIntent(intent: IntentRecord): Promise<void>;
  /**
   * Resolves once durable. `answered` keeps the response for a later replay; absent for a call
   * that must not shadow the one whose id it reused.
   */
  recordOutcome(
    outcome: OutcomeRecord,
    answered?: { readonly call: ToolCall; readonly response: ToolResponse },
  ): Promise<void>;
}

/** Agent-written schemas, in a worker that can be killed (contract §2.4). */
export interface ArgumentsValidator {
  validate(job: {
    readonly owner: string;
    readonly schema: JsonObject;
    readonly canonicalArguments: string;
  }): Promise<{ readonly kind: "valid" | "invalid" | "unusable" | "undecided" | "busy" }>;
}

/** What an agent was given beside its scopes. */
export type Held = Pick<KnownAgent, "roots" | "hosts">;

/** One tool as this platform implements it. */
export interface Tool {
  /** False where the platform lacks it at this moment: `TOOL_UNAVAILABLE`. */
  available(): boolean;
  /**
   * What can be said without touching anything: a word when the call cannot succeed, what the
   * person must give first, else null.
   */
  preflight(args: JsonObject, held: Held): Preflight | null;
  /**
   * What the call would do to the world as it is now, for the person to see. Asked for only when
   * a person will be asked, and changes nothing.
   * @throws ToolFailure
   */
  preview?(args: JsonObject, context: PreviewContext): Promise<Preview>;
  /** @throws ToolFailure, ToolUnavailable */
  run(args: JsonObject, context: ToolContext): Promise<JsonValue>;
}

export type Preflight =
  | { readonly kind: "refuse"; readonly word: ToolFailureWord }
  | {
      readonly kind: "root_wanted";
      readonly suggested_path: string;
      readonly access: Root["access"];
    }
  | { readonly kind: "host_wanted"; readonly host: NetworkHost };

export interface PreviewContext {
  /** With the folder that the call wants, as if it had been given. */
  readonly roots: readonly Root[];
  readonly signal: AbortSignal;
}

export interface Preview {
  readonly shown: ConsentPreview | null;
  /** What `shown` was drawn from, in the tool's own words, so that `run` can tell a change. */
  readonly seen: string | null;
}

/** How far a long call has come. */
export interface ToolProgress {
  readonly done: number;
  /** Null where nobody can know. */
  readonly total: number | null;
  readonly unit: "files" | "bytes" | "entries";
}

export interface ToolContext {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly conversation_id: string;
  readonly roots: readonly Root[];
  /** Hosts of the person's own network that this call may reach. */
  readonly hosts: readonly NetworkHost[];
  /** True where the call was given all that its scope lets the agent do, not only what it names. */
  readonly whole_scope: boolean;
  /** `Preview.seen` of what the person was shown; null when nothing was. */
  readonly seen: string | null;
  /** May be called as often as the tool likes. */
  progress(report: ToolProgress): void;
  /** Aborted at the time limit, on revocation and at shutdown: the work stops. */
  readonly signal: AbortSignal;
}

/** Thrown by a tool: a stable word and nothing else, so no content can leak through it. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly word: ToolFailureWord;
  constructor(word: ToolFailureWord) {
    super(word);
    this.word = word;
  }
}

/** Thrown by a tool that learns only while it runs that nothing here can do it. */
export class ToolUnavailable extends Error {
  override readonly name = "ToolUnavailable";
  readonly word: (typeof ERROR_REASONS)["TOOL_UNAVAILABLE"][number];
  constructor(word: ToolUnavailable["word"]) {
    super(word);
    this.word = word;
  }
}

export interface ToolBox {
  tool(entry: CatalogueEntry): Tool | undefined;
}

/** The person. */
export interface ConsentPort {
  /** A place among the requests that wait; null: there is none (contract §3). */
  reserve(agentId: string): ConsentPlace | null;
  /** Lets requests that a new silence window covers be decided by it instead of asked. */
  reconsider(covered: (request: ConsentRequest) => boolean): void;
}

interface ConsentPlace {
  /** @param ended aborted, with a withdrawal as its reason, when the request is taken back */
  ask(request: Omit<ConsentRequest, "request_id">, ended: AbortSignal): Promise<Verdict>;
  /** The place is free again; after `ask` it is as soon as that has settled. */
  release(): void;
}
