import type { Verdict, Withdrawal } from "../consent/verdict.ts";
import type { ConsentRequest } from "../contract/consent-request.ts";
import {
  type CallName,
  callKey,
  type DecidedBy,
  type ToolCall,
  type ToolResponse,
} from "../contract/tool-call.ts";
import type { ReadableArrival, ToolProgress } from "./ports.ts";

/**
 * `checking`: examined, or decided without the person; `waiting`: the person is asked; `running`:
 * every check has passed and the tool may be at work.
 */
type LiveState = "checking" | "waiting" | "running";

/** What is asked; the queue gives it its id. */
export type Question = Omit<ConsentRequest, "request_id">;

/**
 * In which states each withdrawal ends a call. In the others the chain's own checks notice it, before
 * it asks and before it runs (docs/architecture.md, "The life of a call").
 */
const ENDS: Readonly<Record<Withdrawal, readonly LiveState[]>> = {
  cancelled: ["checking", "waiting", "running"],
  shutdown: ["checking", "waiting", "running"],
  paused: ["waiting", "running"],
  scope_revoked: ["waiting", "running"],
  agent_gone: ["waiting"],
  manifest_changed: ["waiting"],
  unanswered: ["waiting"],
  answered_there: ["waiting"],
};

/** Observes calls. Must not throw. */
export interface CallObserver {
  /** The person is about to be asked. */
  asked?(question: Question): void;
  /** The question is over. */
  settled?(question: Question, verdict: Verdict): void;
  /** The outcome of a call whose id is its own is durable. */
  closed?(arrival: ReadableArrival, response: ToolResponse, by: DecidedBy): void;
  /** The agent is gone, longer than a reconnect takes. */
  gone?(agentId: string): void;
  /** A call started, reported progress or stopped running. */
  running?(): void;
}

/** A call between its arrival and its answer. */
export interface LiveCall extends CallName {
  readonly conversation_id: string;
  readonly call: ToolCall;
  /** Milliseconds on the trusted clock. */
  readonly arrived_at: number;
  readonly state: LiveState;
  readonly progress: ToolProgress | null;
  /** Aborted when the call is ended early; its reason is the withdrawal. */
  readonly signal: AbortSignal;
  /** Null: put off; the call is delivered again. */
  readonly answer: Promise<ToolResponse | null>;
}

interface Entry extends LiveCall {
  state: LiveState;
  progress: ToolProgress | null;
  readonly controller: AbortController;
  answer: Promise<ToolResponse | null>;
}

/** Which calls to end: those that match all of these. */
export type CallMatch = Partial<CallName> & { readonly scope?: string };

/**
 * The calls from their arrival to their answer, each in one state at a time. Every early end of a
 * call goes through here, and so does everything that pages show about calls under way.
 */
export class LiveCalls {
  readonly #calls = new Map<string, Entry>();
  readonly #observers: readonly CallObserver[];
  #isClosed = false;

  constructor(observers: readonly CallObserver[] = []) {
    this.#observers = observers;
  }

  /** Runs the chain for a call whose id is its own; resolves to the chain's result. */
  begin(
    { agent_id, conversation_id, call, arrived_at }: ReadableArrival,
    chain: (live: LiveCall) => Promise<ToolResponse | null>,
  ): Promise<ToolResponse | null> {
    const controller = new AbortController();
    const about = { agent_id, call_id: call.call_id, conversation_id, call, arrived_at };
    const entry: Entry = {
      ...about,
      state: "checking",
      progress: null,
      controller,
      signal: controller.signal,
      answer: Promise.resolve(null),
    };
    const key = callKey(entry);
    this.#calls.set(key, entry);
    if (this.#isClosed) controller.abort("shutdown");
    entry.answer = chain(entry).finally(() => {
      this.#calls.delete(key);
      if (entry.state === "running") this.#runningChanged();
    });
    return entry.answer;
  }

  find(name: CallName): LiveCall | undefined {
    return this.#calls.get(callKey(name));
  }

  /** The calls that may be running. */
  running(): readonly LiveCall[] {
    return [...this.#calls.values()].filter(({ state }) => state === "running");
  }

  /** Waits until the person has decided, or the call is ended. */
  async ask(
    live: LiveCall,
    question: Question,
    ask: (question: Question, ended: AbortSignal) => Promise<Verdict>,
  ): Promise<Verdict> {
    const entry = this.#entry(live);
    entry.state = "waiting";
    for (const observer of this.#observers) observer.asked?.(question);
    const verdict = await ask(question, entry.signal);
    entry.state = "checking";
    for (const observer of this.#observers) observer.settled?.(question, verdict);
    return verdict;
  }

  /** From now until its answer the call may be running. */
  run(live: LiveCall): void {
    this.#entry(live).state = "running";
    this.#runningChanged();
  }

  progress(live: LiveCall, { done, total, unit, tail }: ToolProgress): void {
    const entry = this.#calls.get(callKey(live));
    if (entry === undefined) return;
    entry.progress = { done, total, unit, tail };
    this.#runningChanged();
  }

  /** Its outcome is durable. */
  close(arrival: ReadableArrival, response: ToolResponse, by: DecidedBy): void {
    for (const observer of this.#observers) observer.closed?.(arrival, response, by);
  }

  /** Ends the matching calls whose state allows it; `{}` matches all. */
  end({ agent_id, call_id, scope }: CallMatch, why: Withdrawal): void {
    for (const entry of this.#calls.values()) {
      const isMeant =
        (agent_id ?? entry.agent_id) === entry.agent_id &&
        (call_id ?? entry.call_id) === entry.call_id &&
        (scope ?? entry.call.permission_scope) === entry.call.permission_scope;
      if (isMeant && ENDS[why].includes(entry.state)) entry.controller.abort(why);
    }
    if (why !== "agent_gone" || agent_id === undefined) return;
    for (const observer of this.#observers) observer.gone?.(agent_id);
  }

  /**
   * The agent cancels the call.
   * @param isLate because its own time for an answer is over: what waits for the person was not answered
   * @returns false when the call was put off: both the call and this must be delivered again
   */
  async giveUp(name: CallName, isLate = false): Promise<boolean> {
    const entry = this.#calls.get(callKey(name));
    if (isLate) this.end(name, "unanswered");
    this.end(name, "cancelled");
    return entry === undefined || (await entry.answer) !== null;
  }

  /** Shutdown: ends all calls and starts none. Resolves when all have settled. */
  async shutDown(): Promise<void> {
    this.#isClosed = true;
    this.end({}, "shutdown");
    await Promise.allSettled([...this.#calls.values()].map(({ answer }) => answer));
  }

  #entry(live: LiveCall): Entry {
    const entry = this.#calls.get(callKey(live));
    if (entry === undefined) throw new Error("The call is over.");
    return entry;
  }

  #runningChanged(): void {
    for (const observer of this.#observers) observer.running?.();
  }
}
