import type { RecalledCall } from "../../../app/bridge/consent-views.ts";
import type { ActivityRow } from "../../../app/bridge/views.ts";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";
import { callTarget } from "../../../app/contract/target/call-target.ts";
import type { CallTarget } from "../../../app/contract/target/target.ts";
import {
  type CallName,
  callKey,
  type DecidedBy,
  type ToolResponse,
} from "../../../app/contract/tool-call.ts";
import type { CallObserver, Question } from "../../../app/execution/live-calls.ts";
import type { ReadableArrival } from "../../../app/execution/ports.ts";

/** A call's content: the values that were shown and run, not copies of them. */
interface CallContent extends CallName {
  readonly conversation_id: string;
  readonly arguments: JsonObject;
  readonly arguments_digest: string;
}

/** Rules whose calls ran or were refused by the person. */
const LET_THROUGH: ReadonlySet<DecidedBy> = new Set(["silent_low", "window", "rule", "person"]);

/** Characters are UTF-16 units, so a shelf needs at most twice as many bytes. */
interface ShelfLimits {
  readonly calls: number;
  readonly characters: number;
}

interface Kept extends CallContent, RecalledCall {
  readonly characters: number;
}

const LIMITS: ShelfLimits = { calls: 128, characters: 8 * 1_048_576 };

/**
 * Arguments and results of the last calls, for the person to look up. They are only in memory
 * (contract §6), so they are lost when the program ends. Calls that the person was asked about have a
 * shelf of their own, so that a flood of silent ones cannot push them out.
 */
export class RecalledCalls implements CallObserver {
  readonly #isKnown: (agentId: string) => boolean;
  readonly #asked: Shelf;
  readonly #silent: Shelf;

  /** @param isKnown whether the person has this agent: nothing is kept for one that was removed */
  constructor(isKnown: (agentId: string) => boolean, limits = LIMITS) {
    this.#isKnown = isKnown;
    this.#asked = new Shelf(limits);
    this.#silent = new Shelf(limits);
  }

  /** The person was asked about it. */
  settled(question: CallContent): void {
    this.#put(this.#asked, question, null);
  }

  closed(
    { agent_id, conversation_id, call }: ReadableArrival,
    response: ToolResponse,
    by: DecidedBy,
  ): void {
    if (!LET_THROUGH.has(by)) return;
    const { call_id, arguments: asked, arguments_digest } = call;
    const content = { agent_id, conversation_id, call_id, arguments: asked, arguments_digest };
    const shelf = this.#asked.has(callKey(content)) ? this.#asked : this.#silent;
    this.#put(shelf, content, response.status === "ok" ? { value: response.result } : null);
  }

  /** Null: not kept (any longer). */
  of(call: CallName): RecalledCall | null {
    const key = callKey(call);
    const kept = this.#asked.get(key) ?? this.#silent.get(key);
    return kept === undefined ? null : { arguments: kept.arguments, result: kept.result };
  }

  /** The arguments of exactly this call, not of another one that used its id; null: not kept. */
  argumentsOf(call: CallName & Pick<CallContent, "arguments_digest">): JsonObject | null {
    const key = callKey(call);
    const kept = this.#asked.get(key) ?? this.#silent.get(key);
    return kept?.arguments_digest === call.arguments_digest ? kept.arguments : null;
  }

  forgetAgent(agentId: string): void {
    this.#forget(({ agent_id }) => agent_id === agentId);
  }

  forgetConversation(conversationId: string): void {
    this.#forget(({ conversation_id }) => conversation_id === conversationId);
  }

  #put(shelf: Shelf, call: CallContent, result: RecalledCall["result"]): void {
    const { agent_id, conversation_id, call_id, arguments: asked, arguments_digest } = call;
    if (!this.#isKnown(agent_id)) return;
    const characters = charactersOf(asked) + (result === null ? 0 : charactersOf(result.value));
    const about = { agent_id, conversation_id, call_id, arguments: asked, arguments_digest };
    shelf.put(callKey(call), { ...about, result, characters });
  }

  #forget(isIt: (call: CallContent) => boolean): void {
    for (const shelf of [this.#asked, this.#silent]) shelf.forget(isIt);
  }
}

/** The newest calls within the limits; the oldest are dropped first. */
class Shelf {
  readonly #limits: ShelfLimits;
  readonly #kept = new Map<string, Kept>();
  #characters = 0;

  constructor(limits: ShelfLimits) {
    this.#limits = limits;
  }

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  get(key: string): Kept | undefined {
    return this.#kept.get(key);
  }

  put(key: string, call: Kept): void {
    this.#remove(key);
    this.#kept.set(key, call);
    this.#characters += call.characters;
    for (const oldest of this.#kept.keys()) {
      const { calls, characters } = this.#limits;
      if (this.#kept.size <= calls && this.#characters <= characters) return;
      this.#remove(oldest);
    }
  }

  forget(isIt: (call: CallContent) => boolean): void {
    for (const [key, call] of this.#kept) if (isIt(call)) this.#remove(key);
  }

  #remove(key: string): void {
    this.#characters -= this.#kept.get(key)?.characters ?? 0;
    this.#kept.delete(key);
  }
}

/** Counted for anything that is not a text. */
const SMALL = 8;

/** Roughly a value's size, without serialising it: a silent call must stay fast. */
function charactersOf(value: JsonValue): number {
  if (typeof value === "string") return SMALL + value.length;
  if (typeof value !== "object" || value === null) return SMALL;
  let sum = SMALL;
  if (Array.isArray(value)) for (const each of value) sum += charactersOf(each);
  else for (const [name, each] of Object.entries(value)) sum += name.length + charactersOf(each);
  return sum;
}

interface CallTargetPorts {
  /** The arguments of exactly this call, as long as they are in memory; null: they are not. */
  readonly argumentsOf: (
    call: Pick<ActivityRow, "agent_id" | "call_id" | "arguments_digest">,
  ) => JsonObject | null;
  /** Paths of the folders that the agent was given. */
  readonly folders: (agentId: string) => readonly string[];
}

type ExactCall = CallName & Pick<CallContent, "arguments_digest">;

/** Says what calls are about: as their cards said it, and without a preview where there was none. */
export class CallTargets implements CallObserver {
  readonly #ports: CallTargetPorts;
  /** Of the last requests. What was answered changes folders, and no title with them. */
  readonly #shown = new Map<string, CallTarget>();

  constructor(ports: CallTargetPorts) {
    this.#ports = ports;
  }

  asked(question: Question): void {
    const folders = this.#ports.folders(question.agent_id);
    this.#shown.set(exactly(question), callTarget({ ...question, folders }));
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > LIMITS.calls && oldest !== undefined) this.#shown.delete(oldest);
  }

  of(agentId: string, toolName: string, args: JsonObject): CallTarget {
    const folders = this.#ports.folders(agentId);
    return callTarget({ tool_name: toolName, arguments: args, preview: null, folders });
  }

  /** As its card said it, or without a preview. */
  ofCall(call: ExactCall & { readonly tool_name: string }, args: JsonObject): CallTarget {
    return this.#shown.get(exactly(call)) ?? this.of(call.agent_id, call.tool_name, args);
  }

  /** The line with its target, if its arguments are in memory. */
  withTarget(row: ActivityRow): ActivityRow {
    const args = this.#ports.argumentsOf(row);
    return args === null ? row : { ...row, target: this.ofCall(row, args) };
  }
}

const exactly = (call: ExactCall): string => `${callKey(call)} ${call.arguments_digest}`;
