import { AGENT_CATALOGUE } from "../../../app/contract/agent-catalogue.ts";
import type { AgentEnvironment } from "../../../app/contract/command-line.ts";
import type { RaisedBy } from "../../../app/contract/consent-request.ts";
import type { HookWay } from "../../../app/contract/hook-way.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";
import type { CarriedOut } from "../../../app/contract/tool-call.ts";
import type { CallIntake, ChannelHost } from "../channel.ts";
import {
  decodeLocalCall,
  isTimeUp,
  type LocalAgent,
  type StartedCall,
  startLocalCall,
} from "../local/local-call.ts";
import { type HookAgent, OWN_DIALOGS, TOLD_TO_ASK } from "./agent-tools.ts";
import type { HookVerdict } from "./hook-answer.ts";
import type { HookQuestion } from "./hook-question.ts";
import { Prompts, type SessionEvent } from "./hook-report.ts";
import { hookWayOf } from "./hook-ways.ts";
import { aboutUse, isSame, type KeptUse, KeptUses } from "./kept-uses.ts";
import type { AskedCall } from "./read-tool.ts";
import { changedPlaces } from "./real-place.ts";

/** A use of a tool of the agent's own. */
interface AskedUse extends Omit<HookQuestion, "session"> {
  /** The `PATH` of the agent's; null: not told. */
  readonly path: string | null;
}

interface ReportedUse extends AskedUse {
  readonly status: CarriedOut;
  readonly result_digest: string | null;
}

type Raised = readonly RaisedBy[];

type CallsHost = Pick<ChannelHost, "agents" | "settings" | "live">;

const PASSED: HookVerdict = { kind: "passed" };

/** Where hooks' questions become calls, and their reports find the calls that they are about. */
export class HookCalls {
  readonly #host: CallsHost;
  readonly #intake: CallIntake;
  readonly #kept = new KeptUses();
  /** Of agents' own questions, those that wait for the person. */
  readonly #open = new Set<OpenUse>();
  readonly #projects = new Map<string, readonly string[]>();
  readonly #environments = new Map<string, AgentEnvironment>();
  /** What the person asked each session last, while the agent works at it. */
  readonly #prompts = new Prompts();

  constructor(host: CallsHost, intake: CallIntake) {
    this.#host = host;
    this.#intake = intake;
  }

  /**
   * All its calls at once; the first that is not allowed ends the others. What the agent's own rules decide is looked at
   * first, and what is high by what it is, is asked about nevertheless.
   * @param gone aborted when nobody waits for the answer any more; its reason says whether time is up
   */
  async decide(
    of: HookAgent,
    agent: LocalAgent,
    asked: AskedUse,
    gone: AbortSignal,
  ): Promise<HookVerdict> {
    const way = hookWayOf(this.#host.settings, agent.agent_id);
    const isWatched = isWatchedIn(way, of, asked);
    const raised: Raised[] = [];
    const verdict = await this.#decide(of, agent, asked, gone, isWatched ? raised : null);
    const isTheirs = asked.inner || asked.choice || asked.event === "permission";
    if (verdict.kind !== "passed" || raised.length === 0 || way !== "ask_here" || isTheirs) {
      return verdict;
    }
    return of === TOLD_TO_ASK
      ? { kind: "raised", why: raised.flat() }
      : this.#decide(of, agent, asked, gone, null);
  }

  /** @param raised what is to say why a call is high; null: it is not only watched */
  async #decide(
    of: HookAgent,
    agent: LocalAgent,
    asked: AskedUse,
    gone: AbortSignal,
    raised: Raised[] | null,
  ): Promise<HookVerdict> {
    const isWatched = raised !== null;
    const isOwn = asked.event === "permission";
    const known = isOwn ? this.#known(agent, asked, isWatched) : null;
    if (known !== null) return known;
    const environment = { project: this.#projectOf(agent, asked.project), path: asked.path };
    this.#environments.set(agent.agent_id, environment);
    const more = {
      environment,
      prompt: this.#prompts.of(agent.agent_id, agent.session),
      ...(raised && { watched: "before" as const, raised: (why: Raised) => raised.push(why) }),
      ...(isOwn && of === "codex" ? { dialog_after: true as const } : {}),
    };
    const over = new AbortController();
    const ended = AbortSignal.any([gone, over.signal]);
    const uses = asked.calls.map(async (call) => {
      const decoded = decodeLocalCall(this.#host, agent, call.tool, call.arguments);
      const started = startLocalCall(this.#intake, agent, decoded, more);
      const call_id = isWatched ? null : started.call_id;
      const ahead = !isWatched && !isOwn;
      const use = { ...aboutUse(agent.session, asked, call), call_id, ahead, kept: null };
      const open: OpenUse = { ...use, agent_id: agent.agent_id };
      if (isOwn) this.#open.add(open);
      const verdict = await this.#verdictOf(agent, call, started, ended, isWatched);
      this.#open.delete(open);
      if (verdict.kind === "refused" && !over.signal.aborted) over.abort(verdict);
      return { call, use, verdict };
    });
    const decided = await Promise.all(uses);
    const refused: HookVerdict | undefined = over.signal.reason;
    if (refused !== undefined) return isOwn ? orTheirs(refused) : refused;
    for (const { call, use } of decided) {
      const kept = await this.#keep(agent, call, use, gone);
      this.#kept.add(agent.agent_id, { ...use, kept });
    }
    const [first] = decided;
    return isWatched || first === undefined ? PASSED : first.verdict;
  }

  /** What the agent changes now, if it comes to that; what was kept when the same use was only watched goes. */
  async #keep(
    { agent_id, session }: LocalAgent,
    asked: AskedCall,
    { call_id, ...about }: KeptUse,
    signal: AbortSignal,
  ): Promise<number | null> {
    const places = await changedPlaces(asked);
    if (places.length === 0) return null;
    const { snapshots } = this.#intake;
    await snapshots.drop(this.#kept.keptWatching(agent_id, about));
    const call = { agent_id, call_id, conversation_id: session, scope: "agent:edit" };
    return snapshots.before({ ...call, tool_name: about.tool }, places, signal);
  }

  /** The same was allowed when the tool was to be used, or the agent's dialog is to answer; null: neither. */
  #known(
    { agent_id, session }: LocalAgent,
    asked: AskedUse,
    isWatched: boolean,
  ): HookVerdict | null {
    const isAllowed = asked.calls.every((call) =>
      this.#kept.isAllowed(agent_id, aboutUse(session, asked, call)),
    );
    if (isAllowed) return { kind: "allowed" };
    return isWatched ? PASSED : null;
  }

  /** A report about nothing that was decided here is dropped. */
  async report(agent: LocalAgent, reported: ReportedUse): Promise<void> {
    const { calls, status, result_digest } = reported;
    const { agent_id, session } = agent;
    for (const call of calls) {
      const { tool, arguments: args } = call;
      const about = aboutUse(session, reported, call);
      for (const open of this.#open) {
        if (open.agent_id === agent_id && isSame(open, about)) this.#answeredThere(open);
      }
      const kept = this.#kept.take(agent_id, about);
      if (kept === null) continue;
      const call_id = kept.call_id ?? (await this.#log(agent, reported, tool, args));
      await this.#intake.snapshots.after(kept.kept, new AbortController().signal, call_id);
      await this.#intake.carriedOut({ agent_id, call_id }, status, result_digest);
    }
  }

  /** The session goes on, or is over: what it had asked was answered in its own dialog, and its prompt is done. */
  wentOn(agent_id: string, { session, prompts }: SessionEvent): void {
    for (const open of this.#open) {
      if (open.agent_id === agent_id && open.session === session) this.#answeredThere(open);
    }
    this.#prompts.went(agent_id, session, prompts);
  }

  /** The agent has gone: its sessions end without a word. */
  gone(agentId: string): void {
    this.#prompts.gone(agentId);
  }

  #answeredThere({ agent_id, call_id }: OpenUse): void {
    if (call_id !== null) this.#host.live.end({ agent_id, call_id }, "answered_there");
  }

  /** What the agent did by its own rules gets its line once it is done. */
  async #log(
    agent: LocalAgent,
    { project, path }: AskedUse,
    tool: string,
    args: JsonObject,
  ): Promise<string> {
    const decoded = decodeLocalCall(this.#host, agent, tool, args);
    const { call_id, answer } = startLocalCall(this.#intake, agent, decoded, {
      environment: { project, path },
      watched: "after",
    });
    await answer;
    return call_id;
  }

  async #verdictOf(
    { agent_id }: LocalAgent,
    call: AskedCall,
    { call_id, answer }: StartedCall,
    gone: AbortSignal,
    isWatched: boolean,
  ): Promise<HookVerdict> {
    const giveUp = () => void this.#intake.giveUp({ agent_id, call_id }, isTimeUp(gone));
    if (gone.aborted) giveUp();
    gone.addEventListener("abort", giveUp, { once: true });
    const response = await answer;
    if (response === null) return isWatched ? PASSED : { kind: "refused", reason: "put_off" };
    if (response.status === "ok") return { kind: "allowed", ...inputFor(call, response.result) };
    const message = response.status === "denied" ? response.message : undefined;
    const told = message === undefined ? {} : { message };
    const own = response.reason === "user_refused" ? NOT_GIVEN[call.tool] : undefined;
    return { kind: "refused", reason: own ?? response.reason, ...told };
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

  /** What this agent told of last; undefined: nothing since the start. */
  environmentOf(agentId: string): AgentEnvironment | undefined {
    return this.#environments.get(agentId);
  }

  forget(agentId: string): void {
    this.gone(agentId);
    this.#kept.forget(agentId);
    this.#environments.delete(agentId);
  }
}

/** What a plan or question is given back, as it came and with the person's answers. */
function inputFor({ tool, arguments: args }: AskedCall, result: JsonValue) {
  if (tool !== "approve_plan" && tool !== "answer_question") return {};
  const { also, ...own } = args;
  const answers = isJsonObject(result) ? result.chosen : undefined;
  const more = isJsonObject(also) ? also : {};
  return { input: { ...more, ...own, ...(answers && { answers }) } };
}

/** Only what the person says here counts against the agent's own dialog. */
const orTheirs = (verdict: HookVerdict): HookVerdict =>
  verdict.kind === "refused" && FIRM.has(verdict.reason) ? verdict : PASSED;

/** What a no says to a plan or a question. */
const NOT_GIVEN: Readonly<Record<string, string>> = {
  approve_plan: "keep_planning",
  answer_question: "not_answered",
};

const FIRM: ReadonlySet<string> = new Set([
  ...Object.values(NOT_GIVEN),
  "user_refused",
  "permission_revoked",
  "changed_since_shown",
]);

/** Whether the agent decides a question by its own rules, and here only what is denied is stopped. */
function isWatchedIn(
  way: HookWay,
  of: HookAgent,
  { inner, choice, event, calls }: AskedUse,
): boolean {
  if (way === "only_watch" || choice) return true;
  if (event === "permission") return false;
  if (inner) return true;
  if (way === "check_everything") return false;
  // Agents without questions of their own would ask about what is more than reading.
  return OWN_DIALOGS.includes(of) || calls.every(({ tool }) => isReading(tool));
}

const isReading = (tool: string): boolean => AGENT_CATALOGUE.get(tool)?.scope === "agent:read";

const SESSIONS_KEPT = 256;

interface OpenUse extends KeptUse {
  readonly agent_id: string;
}
