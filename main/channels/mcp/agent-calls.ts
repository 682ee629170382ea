import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { DecodedCall, ToolResponse } from "../../../app/contract/tool-call.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { CallIntake, ChannelHost } from "../channel.ts";
import { decodeLocalCall, type StartedCall, startLocalCall } from "../local/local-call.ts";
import type { LocalAgent } from "../local/local-op.ts";
import type { CallAnswer, CallProgress, Waiting, WaitsFor } from "./agent-port.ts";
import * as parking from "./parked-calls.ts";

/** Before the shortest limit that clients set, which is 60 s. */
const PATIENCE_MS = 45_000;
/** A client that is shown progress waits longer, but some end a call after 300 s all the same. */
const PATIENCE_WITH_PROGRESS_MS = 240_000;
const PROGRESS_EVERY_MS = 10_000;

export interface AgentCallsParts {
  readonly host: Pick<ChannelHost, "agents" | "live" | "clock" | "report">;
  readonly scheduler: Scheduler;
  readonly intake: CallIntake;
}

/**
 * The calls of MCP clients: each goes through the chain once. A client that would give up before the
 * person has answered is told where to find the answer.
 */
export class AgentCalls {
  readonly #parts: AgentCallsParts;
  #parked: parking.Parked = [];
  /** The parked ones that go on, by ticket. */
  readonly #started = new Map<string, StartedCall>();

  constructor(parts: AgentCallsParts) {
    this.#parts = parts;
  }

  /** An identical call whose answer waits to be collected gets that answer, and nothing runs again. */
  async call(
    agent: LocalAgent,
    tool: string,
    args: JsonObject,
    waiting: Waiting,
  ): Promise<CallAnswer> {
    const decoded = decodeLocalCall(this.#parts.host, agent, tool, args);
    const sameness = this.#sameness(agent, decoded);
    const parked = this.#claim({ agent_id: agent.agent_id, sameness });
    if (parked !== null) return this.#await(agent, parked, waiting);
    const started = startLocalCall(this.#parts.intake, agent, decoded);
    const response = await this.#wait(agent, started, waiting);
    if (response !== "patience") return answerOf(response);
    const ticket = randomUUID();
    const { agent_id } = agent;
    const { call_id } = started;
    this.#parked = parking.park(
      this.#parked,
      { ticket, agent_id, call_id, sameness },
      this.#parts.host.clock.now(),
    );
    this.#started.set(ticket, started);
    void started.answer.then((late) => this.#settle(ticket, late));
    return { kind: "parked", ticket, waits_for: this.#waitsFor(agent_id, call_id) };
  }

  async collect(agent: LocalAgent, ticket: string, waiting: Waiting): Promise<CallAnswer> {
    const parked = this.#claim({ agent_id: agent.agent_id, ticket });
    return parked === null ? { kind: "no_such_ticket" } : this.#await(agent, parked, waiting);
  }

  /** Whether answers, or calls that go on, wait for this agent to come back. */
  isExpected(agentId: string): boolean {
    return this.#parked.some(({ agent_id }) => agent_id === agentId);
  }

  forget(agentId: string): void {
    this.#parked = parking.withoutAgent(this.#parked, agentId);
  }

  #claim(wanted: parking.Wanted): parking.ParkedCall | null {
    const now = this.#parts.host.clock.now();
    const { parked, call } = parking.claim(parking.withoutOld(this.#parked, now), wanted);
    this.#parked = parked;
    return call;
  }

  async #await(
    agent: LocalAgent,
    { ticket, call_id }: parking.ParkedCall,
    waiting: Waiting,
  ): Promise<CallAnswer> {
    const started = this.#started.get(ticket);
    if (started !== undefined) await this.#wait(agent, started, waiting);
    const { parked, response } = parking.endClaim(this.#parked, ticket);
    this.#parked = parked;
    if (response !== null) return answerOf(response);
    const goesOn = parked.some((each) => each.ticket === ticket);
    return goesOn
      ? { kind: "parked", ticket, waits_for: this.#waitsFor(agent.agent_id, call_id) }
      : { kind: "put_off" };
  }

  #settle(ticket: string, response: ToolResponse | null): void {
    this.#started.delete(ticket);
    this.#parked = parking.settle(this.#parked, ticket, response, this.#parts.host.clock.now());
  }

  #sameness({ agent_id }: LocalAgent, decoded: DecodedCall): string {
    if (decoded.kind === "malformed") return decoded.malformed.call_id;
    const { tool_name, arguments_digest } = decoded.call;
    const manifest_hash = this.#parts.host.agents.agent(agent_id)?.manifest_hash;
    return `${tool_name} ${arguments_digest} ${manifest_hash}`;
  }

  /** Until the answer, or as long as the client has patience. A client that is gone cancels its call. */
  async #wait(
    { agent_id }: LocalAgent,
    { call_id, answer }: StartedCall,
    { signal, progress }: Waiting,
  ): Promise<ToolResponse | null | "patience"> {
    const { scheduler } = this.#parts;
    const over = Promise.withResolvers<"patience">();
    const patience = progress === null ? PATIENCE_MS : PATIENCE_WITH_PROGRESS_MS;
    const cancelPatience = scheduler.after(patience, () => over.resolve("patience"));
    const giveUp = () => void this.#parts.intake.giveUp({ agent_id, call_id });
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
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
      signal.removeEventListener("abort", giveUp);
    }
  }

  #progress(agent_id: string, call_id: string): CallProgress {
    const { done = null, total = null } =
      this.#parts.host.live.find({ agent_id, call_id })?.progress ?? {};
    return { waits_for: this.#waitsFor(agent_id, call_id), done, total };
  }

  #waitsFor(agent_id: string, call_id: string): WaitsFor {
    const isRunning = this.#parts.host.live.find({ agent_id, call_id })?.state === "running";
    return isRunning ? "tool" : "person";
  }
}

function answerOf(response: ToolResponse | null): CallAnswer {
  if (response === null) return { kind: "put_off" };
  if (response.status === "ok") return { kind: "ok", result: response.result };
  const { status, reason } = response;
  const violation = status === "error" ? response.violation : undefined;
  return { kind: "refused", status, reason, ...(violation === undefined ? {} : { violation }) };
}
