import type { IntentRecord, OutcomeRecord } from "../audit/audit-record.ts";
import type { Verdict } from "../consent/verdict.ts";
import type { CatalogueEntry } from "../contract/catalogue.ts";
import type { ToolFailureWord } from "../contract/codes.ts";
import type { ConsentRequest } from "../contract/consent-request.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import type { ToolCall, ToolResponse } from "../contract/tool-call.ts";
import type { ChosenRoot, KnownAgent, Root } from "../grants/grant.ts";
import type { SilenceWindow, WindowKey } from "../grants/silence-window.ts";
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

/** The client's cached relations and manifests (contract §2.2, §2.3). */
export interface AgentDirectory {
  agent(agentId: string): KnownAgent | undefined;
}

/** Windows and standing rules. Reads are from memory; writes resolve once durable. */
export interface GrantBook {
  window(key: WindowKey): SilenceWindow | undefined;
  openWindow(window: SilenceWindow): Promise<void>;
  /** Slides a window. Losing a touch in a crash only makes the silence shorter. */
  touchWindow(key: WindowKey, now: number): void;
  rule(agentId: string, toolName: string): StandingRule | undefined;
  addRule(rule: StandingRule): Promise<void>;
  /** Gives the agent a folder; resolves to the root once durable. */
  addRoot(agentId: string, chosen: ChosenRoot): Promise<Root>;
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
    readonly schemaKey: string;
    readonly schema: JsonObject;
    readonly canonicalArguments: string;
  }): Promise<{ readonly kind: "valid" | "invalid" | "unusable" | "undecided" }>;
}

/** One tool as this platform implements it. */
export interface Tool {
  /** False where the platform lacks it at this moment: `TOOL_UNAVAILABLE`. */
  available(): boolean;
  /**
   * What can be said without touching anything: a word when the call cannot succeed, a wanted
   * root when the person must choose a folder first, else null.
   */
  preflight(args: JsonObject, roots: readonly Root[]): Preflight | null;
  /** @throws ToolFailure */
  run(args: JsonObject, context: ToolContext): Promise<JsonValue>;
}

export type Preflight =
  | { readonly kind: "refuse"; readonly word: ToolFailureWord }
  | {
      readonly kind: "root_wanted";
      readonly suggested_path: string;
      readonly access: Root["access"];
    };

export interface ToolContext {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly conversation_id: string;
  readonly roots: readonly Root[];
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

export interface ToolBox {
  tool(entry: CatalogueEntry): Tool | undefined;
}

/** The person. */
export interface ConsentPort {
  ask(request: Omit<ConsentRequest, "request_id">): Promise<Verdict>;
  /** Lets requests that a new silence window covers be decided by it instead of asked. */
  reconsider(covered: (request: ConsentRequest) => boolean): void;
  /** The high-sensitivity limit in force, ms (30 s, or longer by the person's setting). */
  timeoutMs(): number;
}
