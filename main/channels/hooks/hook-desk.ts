import { digestOf } from "../../../app/contract/digest.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { CarriedOut } from "../../../app/contract/tool-call.ts";
import type { CallIntake, ChannelHost } from "../channel.ts";
import {
  decodeLocalCall,
  isTimeUp,
  type LocalAgent,
  type StartedCall,
  startLocalCall,
} from "../local/local-call.ts";
import type { HookVerdict } from "./hook-answer.ts";
import type { HookQuestion } from "./hook-question.ts";

/** A use of a tool of the agent's own. */
type AskedUse = Omit<HookQuestion, "session">;

interface ReportedUse extends AskedUse {
  readonly status: CarriedOut;
  readonly result_digest: string | null;
}

const PASSED: HookVerdict = { kind: "passed" };

/** Where hooks' questions become calls, and their reports find the calls that they are about. */
export class HookDesk {
  readonly #host: Pick<ChannelHost, "agents">;
  readonly #intake: CallIntake;
  readonly #allowed = new KeptUses();
  readonly #projects = new Map<string, readonly string[]>();

  constructor(host: Pick<ChannelHost, "agents">, intake: CallIntake) {
    this.#host = host;
    this.#intake = intake;
  }

  /**
   * Its calls one after another, as far as the first that is not allowed.
   * @param gone aborted when nobody waits for the answer any more; its reason says whether time is up
   */
  async decide(agent: LocalAgent, asked: AskedUse, gone: AbortSignal): Promise<HookVerdict> {
    const project = this.#projectOf(agent, asked.project);
    const uses: KeptUse[] = [];
    for (const call of asked.calls) {
      const decoded = decodeLocalCall(this.#host, agent, call.tool, call.arguments);
      const watched = asked.watched ? ({ watched: "before" } as const) : {};
      const started = startLocalCall(this.#intake, agent, decoded, { project, ...watched });
      const refused = await this.#answerOf(agent, started, gone, asked.watched);
      if (refused !== null) return refused;
      uses.push({
        call_id: asked.watched ? null : started.call_id,
        session: agent.session,
        use: asked.use,
        tool: call.tool,
        arguments_digest: digestOf(call.arguments),
      });
    }
    for (const use of uses) this.#allowed.add(agent.agent_id, use);
    return asked.watched ? PASSED : { kind: "allowed" };
  }

  /** A report about nothing that was decided here is dropped. */
  async report(agent: LocalAgent, reported: ReportedUse): Promise<void> {
    const { use, calls, status, result_digest } = reported;
    const { agent_id, session } = agent;
    for (const { tool, arguments: args } of calls) {
      const arguments_digest = digestOf(args);
      const kept = this.#allowed.take(agent_id, { session, use, tool, arguments_digest });
      if (kept === null) continue;
      const call_id = kept.call_id ?? (await this.#log(agent, reported.project, tool, args));
      await this.#intake.carriedOut({ agent_id, call_id }, status, result_digest);
    }
  }

  /** What the agent did by its own rules gets its line once it is done. */
  async #log(
    agent: LocalAgent,
    project: readonly string[],
    tool: string,
    args: JsonObject,
  ): Promise<string> {
    const decoded = decodeLocalCall(this.#host, agent, tool, args);
    const { call_id, answer } = startLocalCall(this.#intake, agent, decoded, {
      project,
      watched: "after",
    });
    await answer;
    return call_id;
  }

  /** Null: nothing speaks against it. */
  async #answerOf(
    { agent_id }: LocalAgent,
    { call_id, answer }: StartedCall,
    gone: AbortSignal,
    isWatched: boolean,
  ): Promise<HookVerdict | null> {
    const giveUp = () => void this.#intake.giveUp({ agent_id, call_id }, isTimeUp(gone));
    if (gone.aborted) giveUp();
    gone.addEventListener("abort", giveUp, { once: true });
    const response = await answer;
    if (response === null) return isWatched ? null : { kind: "refused", reason: "put_off" };
    if (response.status === "ok") return null;
    const message = response.status === "denied" ? response.message : undefined;
    const told = message === undefined ? {} : { message };
    return { kind: "refused", reason: response.reason, ...told };
  }

  /** What was open when a session began: an agent's folder may change with the commands that it runs. */
  #projectOf({ agent_id, session }: LocalAgent, now: readonly string[]): readonly string[] {
    const key = JSON.stringify([agent_id, session]);
    const project = this.#projects.get(key) ?? now;
    this.#projects.delete(key);
    this.#projects.set(key, project);
    const [oldest] = this.#projects.keys();
    if (this.#projects.size > SESSIONS_KEPT && oldest !== undefined) this.#projects.delete(oldest);
    return project;
  }

  forget(agentId: string): void {
    this.#allowed.forget(agentId);
  }
}

const SESSIONS_KEPT = 256;

/** A use of a tool that an agent may report on. */
interface KeptUse {
  /** Null: the agent decided by its own rules. */
  readonly call_id: string | null;
  readonly session: string;
  readonly tool: string;
  /** The agent's own name for this use of its tool; null: it has none. */
  readonly use: string | null;
  readonly arguments_digest: string;
}

/** For each agent; an agent that never reports costs no more. */
const USES_KEPT = 64;

/** What agents may still report on, in memory only: a report after a restart belongs to nothing. */
class KeptUses {
  readonly #byAgent = new Map<string, readonly KeptUse[]>();

  add(agentId: string, use: KeptUse): void {
    this.#byAgent.set(agentId, [...this.#of(agentId), use].slice(-USES_KEPT));
  }

  /** What a report is about, once: the same use, or else the oldest with the same arguments. */
  take(agentId: string, about: Omit<KeptUse, "call_id">): KeptUse | null {
    const uses = this.#of(agentId);
    const found = uses.find((use) => isAbout(use, about));
    if (found === undefined) return null;
    this.#byAgent.set(
      agentId,
      uses.filter((use) => use !== found),
    );
    return found;
  }

  forget(agentId: string): void {
    this.#byAgent.delete(agentId);
  }

  #of(agentId: string): readonly KeptUse[] {
    return this.#byAgent.get(agentId) ?? [];
  }
}

/** The folder that a command is in may be another one when it is over, so the use counts if there is one. */
const isAbout = (kept: KeptUse, about: Omit<KeptUse, "call_id">): boolean =>
  kept.session === about.session &&
  kept.tool === about.tool &&
  kept.use === about.use &&
  (kept.use !== null || kept.arguments_digest === about.arguments_digest);
