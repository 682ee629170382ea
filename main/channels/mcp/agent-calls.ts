import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { DecodedCall, ToolResponse } from "../../../app/contract/tool-call.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { CallIntake, ChannelHost } from "../channel.ts";
import {
  decodeLocalCall,
  type LocalAgent,
  type StartedCall,
  startLocalCall,
} from "../local/local-call.ts";
import type { Waiting } from "./agent-port.ts";
import { answerOf, taskOf } from "./agent-tasks.ts";
import type {
  AgentTask,
  CallAnswer,
  CallProgress,
  CancelAnswer,
  TaskAnswer,
  WaitsFor,
} from "./call-answer.ts";
import * as parking from "./parked-calls.ts";

/** The longest that a client can have an answer kept. */
const TASK_KEPT_MS = 86_400_000;

export interface AgentCallsParts extends PatienceParts {
  readonly host: Pick<ChannelHost, "agents" | "live" | "clock">;
}

/**
 * The calls of MCP clients: each goes through the chain once. A client that would give up before the
 * person has answered is told where to find the answer.
 */
export class AgentCalls {
  readonly #parts: AgentCallsParts;
  readonly #patience: Patience;
  #parked: parking.Parked = [];
  /** The parked ones that go on, by ticket. */
  readonly #started = new Map<string, StartedCall>();

  constructor(parts: AgentCallsParts) {
    this.#parts = parts;
    this.#patience = new Patience(parts);
  }

  /** An identical call whose answer nobody has yet gets that answer, and nothing runs again. */
  async call(
    agent: LocalAgent,
    tool: string,
    args: JsonObject,
    waiting: Waiting,
  ): Promise<CallAnswer> {
    const decoded = decodeLocalCall(this.#parts.host, agent, tool, args);
    const sameness = this.#sameness(agent, decoded);
    const { agent_id } = agent;
    const same = this.#find({ agent_id, sameness });
    if (same !== null) return this.#answer(same, waiting);
    const started = startLocalCall(this.#parts.intake, agent, decoded);
    const response = await this.#patience.wait(agent_id, started, waiting, "cancels");
    if (response !== "patience") return answerOf(response);
    const { call_id } = started;
    const call = { ticket: randomUUID(), agent_id, call_id, sameness, kept_ms: keptMs(waiting) };
    this.#parked = parking.park(this.#parked, call, this.#parts.host.clock.now());
    this.#started.set(call.ticket, started);
    void started.answer.then((late) => this.#settle(call.ticket, late));
    return this.#parkedAnswer(call);
  }

  async collect({ agent_id }: LocalAgent, ticket: string, waiting: Waiting): Promise<CallAnswer> {
    const parked = this.#find({ agent_id, ticket });
    return parked === null ? { kind: "no_such_ticket" } : this.#answer(parked, waiting);
  }

  async task(
    { agent_id }: LocalAgent,
    ticket: string,
    waiting: Waiting | null,
  ): Promise<TaskAnswer> {
    const found = this.#find({ agent_id, ticket });
    const started = this.#started.get(ticket);
    if (found !== null && started !== undefined && waiting !== null)
      await this.#patience.wait(agent_id, started, waiting, "cancels_nothing");
    const call = this.#find({ agent_id, ticket });
    if (call === null) return null;
    const { response } = call;
    if (response !== null) this.#parked = parking.collected(this.#parked, ticket);
    return { task: this.#view(call), answer: response && answerOf(response) };
  }

  tasks({ agent_id }: LocalAgent): readonly AgentTask[] {
    return this.#current()
      .filter((call) => call.agent_id === agent_id)
      .map((call) => this.#view(call));
  }

  /** Resolves once the call is over, as cancelled or with the answer that came before. */
  async cancel({ agent_id }: LocalAgent, ticket: string): Promise<CancelAnswer> {
    const found = this.#find({ agent_id, ticket });
    const started = this.#started.get(ticket);
    if (found !== null && started !== undefined) {
      const { call_id } = started;
      await this.#parts.intake.giveUp({ agent_id, call_id });
      await started.answer;
    }
    const call = this.#find({ agent_id, ticket });
    if (call === null) return null;
    this.#parked = parking.collected(this.#parked, ticket);
    return { task: this.#view(call), was_over: started === undefined };
  }

  forget(agentId: string): void {
    this.#parked = parking.withoutAgent(this.#parked, agentId);
  }

  #current(): parking.Parked {
    this.#parked = parking.withoutOld(this.#parked, this.#parts.host.clock.now());
    return this.#parked;
  }

  #find(wanted: parking.Wanted): parking.ParkedCall | null {
    return parking.findParked(this.#current(), wanted);
  }

  async #answer(call: parking.ParkedCall, waiting: Waiting): Promise<CallAnswer> {
    const { agent_id, ticket } = call;
    const started = this.#started.get(ticket);
    if (started !== undefined) await this.#patience.wait(agent_id, started, waiting, "cancels");
    const now = this.#find({ agent_id, ticket });
    if (now === null) return { kind: "put_off" };
    if (now.response === null || waiting.task?.at_once) return this.#parkedAnswer(now);
    this.#parked = parking.collected(this.#parked, ticket);
    return answerOf(now.response);
  }

  #parkedAnswer({ agent_id, ticket }: Pick<parking.ParkedCall, "agent_id" | "ticket">): CallAnswer {
    const call = this.#find({ agent_id, ticket });
    return call === null ? { kind: "put_off" } : { kind: "parked", task: this.#view(call) };
  }

  #settle(ticket: string, response: ToolResponse | null): void {
    this.#started.delete(ticket);
    this.#parked = parking.settle(this.#parked, ticket, response, this.#parts.host.clock.now());
  }

  #view(call: parking.ParkedCall): AgentTask {
    return taskOf(call, this.#patience.waitsFor(call.agent_id, call.call_id));
  }

  #sameness({ agent_id }: LocalAgent, decoded: DecodedCall): string {
    if (decoded.kind === "malformed") return decoded.malformed.call_id;
    const { tool_name, arguments_digest } = decoded.call;
    const manifest_hash = this.#parts.host.agents.agent(agent_id)?.manifest_hash;
    return `${tool_name} ${arguments_digest} ${manifest_hash}`;
  }
}

/** An hour is the least, because any answer is kept for that. */
const keptMs = ({ task }: Waiting): number =>
  Math.min(Math.max(task?.ttl_ms ?? 0, parking.ANSWER_KEPT_MS), TASK_KEPT_MS);

/** Before the shortest limit that clients set, which is 60 s. */
const PATIENCE_MS = 45_000;
/** A client that is shown progress waits longer, but some end a call after 300 s all the same. */
const PATIENCE_WITH_PROGRESS_MS = 240_000;
/** What takes longer becomes a task; a tool that runs without asking is mostly over before that. */
const PATIENCE_BEFORE_TASK_MS = 2_000;
const PROGRESS_EVERY_MS = 10_000;

interface PatienceParts {
  readonly host: { readonly live: ChannelHost["live"] };
  readonly scheduler: Scheduler;
  readonly intake: CallIntake;
}

/** What it means to a call that the request which waits for it ends before it does. */
type Leaving = "cancels" | "cancels_nothing";

/** How long clients wait for an answer, and what they are told meanwhile. */
class Patience {
  readonly #parts: PatienceParts;

  constructor(parts: PatienceParts) {
    this.#parts = parts;
  }

  /** Until the answer, or as long as the client has patience. */
  async wait(
    agent_id: string,
    { call_id, answer }: StartedCall,
    waiting: Waiting,
    leaving: Leaving,
  ): Promise<ToolResponse | null | "patience"> {
    if (waiting.task?.at_once) return "patience";
    const { signal, progress } = waiting;
    const { scheduler, intake } = this.#parts;
    const over = Promise.withResolvers<"patience">();
    const leave = () => {
      if (leaving === "cancels") void intake.giveUp({ agent_id, call_id });
      else over.resolve("patience");
    };
    const cancelPatience = scheduler.after(patienceMs(waiting), () => over.resolve("patience"));
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    let cancelNext = () => {};
    const tell = () => {
      progress?.(this.#progress(agent_id, call_id));
      cancelNext = scheduler.after(PROGRESS_EVERY_MS, tell);
    };
    if (progress !== null) cancelNext = scheduler.after(PROGRESS_EVERY_MS, tell);
    try {
      return await Promise.race([answer, over.promise]);
    } finally {
      cancelPatience();
      cancelNext();
      signal.removeEventListener("abort", leave);
    }
  }

  waitsFor(agent_id: string, call_id: string): WaitsFor {
    const isRunning = this.#parts.host.live.find({ agent_id, call_id })?.state === "running";
    return isRunning ? "tool" : "person";
  }

  #progress(agent_id: string, call_id: string): CallProgress {
    const { done = null, total = null } =
      this.#parts.host.live.find({ agent_id, call_id })?.progress ?? {};
    return { waits_for: this.waitsFor(agent_id, call_id), done, total };
  }
}

function patienceMs({ task, progress }: Waiting): number {
  if (task !== undefined) return PATIENCE_BEFORE_TASK_MS;
  return progress === null ? PATIENCE_MS : PATIENCE_WITH_PROGRESS_MS;
}
