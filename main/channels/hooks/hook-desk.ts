import { digestOf } from "../../../app/contract/digest.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { CarriedOut } from "../../../app/contract/tool-call.ts";
import type { CallIntake, ChannelHost } from "../channel.ts";
import { decodeLocalCall, isTimeUp, type LocalAgent, startLocalCall } from "../local/local-call.ts";
import type { HookVerdict } from "./hook-answer.ts";

/** A use of a tool of the agent's own, as a call of the catalogue's. */
interface AskedCall {
  readonly use: string | null;
  readonly tool: string;
  readonly arguments: JsonObject;
}

interface ReportedCall extends AskedCall {
  readonly status: CarriedOut;
  readonly result_digest: string | null;
}

/** Where hooks' questions become calls, and their reports find the calls that they are about. */
export class HookDesk {
  readonly #host: Pick<ChannelHost, "agents">;
  readonly #intake: CallIntake;
  readonly #allowed = new AllowedCalls();

  constructor(host: Pick<ChannelHost, "agents">, intake: CallIntake) {
    this.#host = host;
    this.#intake = intake;
  }

  /** @param gone aborted when nobody waits for the answer any more; its reason says whether time is up */
  async decide(agent: LocalAgent, asked: AskedCall, gone: AbortSignal): Promise<HookVerdict> {
    const { use, tool } = asked;
    const { agent_id, session } = agent;
    const decoded = decodeLocalCall(this.#host, agent, tool, asked.arguments);
    const { call_id, answer } = startLocalCall(this.#intake, agent, decoded);
    const giveUp = () => void this.#intake.giveUp({ agent_id, call_id }, isTimeUp(gone));
    if (gone.aborted) giveUp();
    gone.addEventListener("abort", giveUp, { once: true });
    const response = await answer;
    if (response === null) return { kind: "refused", reason: "put_off" };
    if (response.status !== "ok") {
      const message = response.status === "denied" ? response.message : undefined;
      const told = message === undefined ? {} : { message };
      return { kind: "refused", reason: response.reason, ...told };
    }
    if (decoded.kind === "call") {
      const { arguments_digest } = decoded.call;
      this.#allowed.add(agent_id, { call_id, session, use, tool, arguments_digest });
    }
    return { kind: "allowed" };
  }

  /** A report about nothing that was allowed here is dropped. */
  async report(agent: LocalAgent, reported: ReportedCall): Promise<void> {
    const { use, tool, status, result_digest } = reported;
    const { agent_id, session } = agent;
    const arguments_digest = digestOf(reported.arguments);
    const call_id = this.#allowed.take(agent_id, { session, use, tool, arguments_digest });
    if (call_id === null) return;
    await this.#intake.carriedOut({ agent_id, call_id }, status, result_digest);
  }

  forget(agentId: string): void {
    this.#allowed.forget(agentId);
  }
}

/** A call that an agent was allowed and has not reported on. */
interface AllowedCall {
  readonly call_id: string;
  readonly session: string;
  readonly tool: string;
  /** The agent's own name for this use of its tool; null: it has none. */
  readonly use: string | null;
  readonly arguments_digest: string;
}

/** For each agent; an agent that never reports costs no more. */
const CALLS_KEPT = 64;

/** What agents may still report on, in memory only: a report after a restart belongs to nothing. */
class AllowedCalls {
  readonly #byAgent = new Map<string, readonly AllowedCall[]>();

  add(agentId: string, call: AllowedCall): void {
    this.#byAgent.set(agentId, [...this.#of(agentId), call].slice(-CALLS_KEPT));
  }

  /** The call that a report is about, once: the same use, or else the oldest with the same arguments. */
  take(agentId: string, about: Omit<AllowedCall, "call_id">): string | null {
    const calls = this.#of(agentId);
    const found = calls.find((call) => isAbout(call, about));
    if (found === undefined) return null;
    this.#byAgent.set(
      agentId,
      calls.filter((call) => call !== found),
    );
    return found.call_id;
  }

  forget(agentId: string): void {
    this.#byAgent.delete(agentId);
  }

  #of(agentId: string): readonly AllowedCall[] {
    return this.#byAgent.get(agentId) ?? [];
  }
}

/** The folder that a command is in may be another one when it is over, so the use counts if there is one. */
const isAbout = (call: AllowedCall, about: Omit<AllowedCall, "call_id">): boolean =>
  call.session === about.session &&
  call.tool === about.tool &&
  call.use === about.use &&
  (call.use !== null || call.arguments_digest === about.arguments_digest);
