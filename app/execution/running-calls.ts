import type { Withdrawal } from "../consent/verdict.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ReadableArrival } from "./arrival.ts";
import type { ToolProgress } from "./ports.ts";

/** A call that has passed every check, as long as it may be running. */
export interface RunningNow {
  readonly call_id: string;
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly tool_name: string;
  readonly arguments: JsonObject;
  readonly scope: string;
  /** Milliseconds on the trusted clock. */
  readonly arrived_at: number;
  readonly progress: ToolProgress | null;
}

/** The chain's own hold on such a call. */
export interface RunningCall {
  readonly signal: AbortSignal;
  readonly progress: (report: ToolProgress) => void;
  readonly done: () => void;
}

interface Entry {
  now: RunningNow;
  readonly controller: AbortController;
}

/** The calls that have passed every check and may be running, so that each can be stopped. */
export class RunningCalls {
  readonly #running = new Set<Entry>();
  readonly #changed: () => void;
  readonly #isGivenUp: (call: RunningNow) => boolean;
  #closed: Withdrawal | null = null;

  /**
   * @param changed after every change of what `list` gives
   * @param isGivenUp whether the agent gave the call up before it came to run
   */
  constructor(
    changed: () => void = () => {},
    isGivenUp: (call: RunningNow) => boolean = () => false,
  ) {
    this.#changed = changed;
    this.#isGivenUp = isGivenUp;
  }

  /** From here to `done`, a matching `stop` aborts `signal` with the withdrawal as its reason. */
  open(
    {
      call: { call_id, tool_name, arguments: args },
      agent_id,
      conversation_id,
      arrived_at,
    }: Pick<ReadableArrival, "agent_id" | "conversation_id" | "arrived_at"> & {
      readonly call: Pick<ReadableArrival["call"], "call_id" | "tool_name" | "arguments">;
    },
    scope: string,
  ): RunningCall {
    const about = { call_id, agent_id, conversation_id, tool_name, arguments: args };
    const entry: Entry = {
      now: { ...about, scope, arrived_at, progress: null },
      controller: new AbortController(),
    };
    this.#running.add(entry);
    this.#changed();
    const why = this.#closed ?? (this.#isGivenUp(entry.now) ? "cancelled" : null);
    if (why !== null) entry.controller.abort(why);
    return {
      signal: entry.controller.signal,
      progress: ({ done, total, unit }) => {
        if (!this.#running.has(entry)) return;
        entry.now = { ...entry.now, progress: { done, total, unit } };
        this.#changed();
      },
      done: () => {
        if (this.#running.delete(entry)) this.#changed();
      },
    };
  }

  list(): readonly RunningNow[] {
    return [...this.#running].map(({ now }) => now);
  }

  /** Stops everything, now and from now on. */
  close(why: Withdrawal): void {
    this.#closed = why;
    this.stop(() => true, why);
  }

  /** @returns how many calls were told to stop */
  stop(matches: (call: RunningNow) => boolean, why: Withdrawal): number {
    const stopped = [...this.#running].filter(({ now }) => matches(now));
    for (const { controller } of stopped) controller.abort(why);
    return stopped.length;
  }
}
