import type { CarriedOut } from "../../../app/contract/carried-out.ts";
import { digestOf } from "../../../app/contract/digest.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { CallIntake, ChannelHost } from "../channel.ts";
import { decodeLocalCall, startLocalCall } from "../local/local-call.ts";
import type { LocalAgent } from "../local/local-op.ts";
import { isTimeUp } from "../local/time-is-up.ts";
import { AllowedCalls } from "./allowed-calls.ts";
import type { HookVerdict } from "./hook-verdict.ts";

/** A use of a tool of the agent's own, as a call of the catalogue's. */
interface AskedCall {
  readonly use: string | null;
  readonly tool: string;
  readonly arguments: JsonObject;
}

interface ReportedCall extends AskedCall {
  readonly status: CarriedOut;
  readonly result_digest: string;
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
