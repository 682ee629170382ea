import Type, { type Static } from "typebox";
import {
  MISSED_KEPT,
  MISSED_WHYS,
  type MissedRequest,
  type MissedView,
  type MissedWhy,
  TURNED_AWAY_KEPT,
  type TurnedAwayView,
} from "../../../app/bridge/consent-views.ts";
import type { Verdict, Withdrawal } from "../../../app/consent/verdict.ts";
import { guardOf } from "../../../app/contract/checked.ts";
import type { ConsentRequest } from "../../../app/contract/consent-request.ts";
import { jsonOf } from "../../../app/contract/json.ts";
import { type CallName, callKey, type ToolResponse } from "../../../app/contract/tool-call.ts";
import type { CallObserver } from "../../../app/execution/live-calls.ts";
import type { ReadableArrival } from "../../../app/execution/ports.ts";
import type { KeptValues } from "../../storage/index.ts";

const KEY = "missed_requests";
const Moment = Type.Integer({ minimum: 0 });
const Kept = Type.Object({
  requests: Type.Array(
    Type.Object({
      agent_id: Type.String(),
      call_id: Type.String(),
      agent_name: Type.String(),
      tool_name: Type.String(),
      asked_at: Moment,
      ended_at: Moment,
      why: Type.Union(MISSED_WHYS.map((each) => Type.Literal(each))),
    }),
    { maxItems: MISSED_KEPT },
  ),
  more: Moment,
});
const isKept: (value: unknown) => value is Static<typeof Kept> = guardOf(Kept);
type Asked = Pick<ConsentRequest, "agent_id" | "agent_name" | "call_id" | "tool_name">;
const NONE: MissedView = { requests: [], more: 0 };

export interface MissedPorts {
  readonly settings: KeptValues;
  readonly clock: { now(): number };
  readonly changed: () => void;
  readonly report: (error: unknown) => void;
}

/**
 * Requests that ended without an answer, until the person has seen them: tool, agent and time. Their
 * arguments are in memory only (`RecalledCalls`, contract §6). A list that cannot be read counts as
 * empty: the log has every call too.
 */
export class MissedRequests implements CallObserver {
  readonly #ports: MissedPorts;
  readonly #askedAt = new Map<string, number>();
  #view: MissedView;

  constructor(ports: MissedPorts) {
    this.#ports = ports;
    this.#view = read(ports.settings.value(KEY));
  }

  view(): MissedView {
    return this.#view;
  }

  asked(question: CallName): void {
    this.#askedAt.set(callKey(question), this.#ports.clock.now());
  }

  settled({ agent_id, agent_name, call_id, tool_name }: Asked, verdict: Verdict): void {
    const ended_at = this.#ports.clock.now();
    const key = callKey({ agent_id, call_id });
    const asked_at = this.#askedAt.get(key) ?? ended_at;
    this.#askedAt.delete(key);
    const why = missedWhy(verdict);
    if (why === null) return;
    this.#note({ agent_id, agent_name, call_id, tool_name, asked_at, ended_at, why });
  }

  /** @throws StoreError; then they are shown again after the next start */
  async dismiss(): Promise<void> {
    this.#view = NONE;
    this.#ports.changed();
    await this.#ports.settings.removeValue(KEY);
  }

  #note(missed: MissedRequest): void {
    const all = [missed, ...this.#view.requests];
    const { more } = this.#view;
    this.#view = {
      requests: all.slice(0, MISSED_KEPT),
      more: more + Math.max(0, all.length - MISSED_KEPT),
    };
    this.#ports.changed();
    const stored = this.#ports.settings.putValue(KEY, JSON.stringify(this.#view));
    stored.catch((error: unknown) => this.#ports.report(error));
  }
}

/** Null: the person answered, ended it by revoking, saw it time out, or will be asked again. */
function missedWhy(verdict: Verdict): MissedWhy | null {
  if (verdict.kind === "timed_out") return verdict.watched ? null : "user_timeout";
  return verdict.kind === "withdrawn" ? (BY_AGENT[verdict.why] ?? null) : null;
}

const BY_AGENT: Readonly<Partial<Record<Withdrawal, MissedWhy>>> = {
  agent_gone: "agent_disconnected",
  manifest_changed: "manifest_changed",
  cancelled: "cancelled",
  unanswered: "user_timeout",
};

function read(text: string | undefined): MissedView {
  const kept = jsonOf(text);
  return isKept(kept) ? kept : NONE;
}

/**
 * Requests that nobody saw, because too many waited already (contract §3): how many of which agent,
 * until the person has seen that. Agents beyond the first are counted together.
 */
export class TurnedAway implements CallObserver {
  readonly #changed: () => void;
  readonly #counts = new Map<string, number>();
  #others = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  closed({ agent_id }: ReadableArrival, response: ToolResponse): void {
    if (response.status !== "error" || response.reason !== "consent_queue_full") return;
    const count = this.#counts.get(agent_id);
    if (count === undefined && this.#counts.size >= TURNED_AWAY_KEPT) this.#others += 1;
    else this.#counts.set(agent_id, (count ?? 0) + 1);
    this.#changed();
  }

  /** @param nameOf null: the agent was removed */
  view(nameOf: (agentId: string) => string | null): TurnedAwayView {
    const agents = [...this.#counts].flatMap(([agent_id, count]) => {
      const name = nameOf(agent_id);
      return name === null ? [] : [{ agent_id, name, count }];
    });
    return { agents, others: this.#others };
  }

  seen(): void {
    this.#counts.clear();
    this.#others = 0;
    this.#changed();
  }
}
