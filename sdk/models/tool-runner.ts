import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import type { ModelTool } from "./model-tools.ts";
import type { ModelCall } from "./model-turn.ts";
import { failed, failedWith, isQueueFull, succeeded, type ToolOutcome } from "./tool-outcome.ts";

/** Makes one call: usually `agent.callTool` with a conversation. Rejects with a ToolCallError. */
export type CallTool = (
  name: string,
  args: JsonObject,
  options: { readonly signal?: AbortSignal },
) => Promise<JsonValue>;

export interface ToolRunnerOptions {
  readonly tools: readonly ModelTool[];
  readonly call: CallTool;
  /** Calls that may be under way at once; no limit when absent. */
  readonly atOnce?: number;
  /** Calls of tools of high sensitivity wait for one another. */
  readonly highOneByOne?: boolean;
}

type Answer =
  | { readonly ok: true; readonly result: JsonValue }
  | { readonly ok: false; readonly error: unknown };

/** Turns a model's calls into tool calls, and their answers into results for the model. */
export class ToolRunner {
  readonly #options: ToolRunnerOptions;
  readonly #tools: ReadonlyMap<string, ModelTool>;
  readonly #places: TurnPlaces;
  readonly #high = new TurnPlaces(1);
  /** Resolved when any call ends. */
  readonly #ends: (() => void)[] = [];
  #underWay = 0;

  constructor(options: ToolRunnerOptions) {
    this.#options = options;
    this.#tools = new Map(options.tools.map((tool) => [tool.modelName, tool]));
    this.#places = new TurnPlaces(options.atOnce ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Makes all calls of a turn at once; resolves when all have ended, with outcomes in the calls' order.
   * A failure of one does not affect the others; aborting `signal` ends them all.
   */
  runAll(calls: readonly ModelCall[], signal?: AbortSignal): Promise<ToolOutcome[]> {
    return Promise.all(calls.map((call) => this.run(call, signal)));
  }

  /** Never rejects because of what the model wrote or the person answered. */
  async run(call: ModelCall, signal?: AbortSignal): Promise<ToolOutcome> {
    const tool = this.#tools.get(call.modelName);
    if (tool === undefined) return failed(call, "unknown_tool");
    if (call.input === null) return failed(call, "arguments_not_json");
    const violation = tool.check(call.input);
    if (violation !== null) return failed(call, "schema_violation", violation);
    const isAlone = this.#options.highOneByOne === true && tool.sensitivity === "high";
    const inPlace = () => this.#places.hold(() => this.#make(call, tool, call.input ?? {}, signal));
    return isAlone ? this.#high.hold(inPlace) : inPlace();
  }

  async #make(
    call: ModelCall,
    tool: ModelTool,
    args: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<ToolOutcome> {
    for (;;) {
      if (signal?.aborted) return failed(call, "aborted");
      const answer = await this.#ask(tool.name, args, signal);
      if (answer.ok) return succeeded(call, answer.result);
      // The person has no room for another request until one of this agent's is answered. Nothing
      // has run, so the call is made again then; without a pending call nothing would tell when.
      if (!isQueueFull(answer.error) || this.#underWay === 0) return failedWith(call, answer.error);
      await this.#nextEnd();
    }
  }

  async #ask(name: string, args: JsonObject, signal: AbortSignal | undefined): Promise<Answer> {
    this.#underWay += 1;
    try {
      const options = signal === undefined ? {} : { signal };
      return { ok: true, result: await this.#options.call(name, args, options) };
    } catch (error) {
      return { ok: false, error };
    } finally {
      this.#underWay -= 1;
      for (const tell of this.#ends.splice(0)) queueMicrotask(tell);
    }
  }

  #nextEnd(): Promise<void> {
    return new Promise((resolve) => this.#ends.push(resolve));
  }
}

/** A semaphore: limits how many run at once; the others wait in the order they asked. */
class TurnPlaces {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` once there is a free place. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
