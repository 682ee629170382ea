import { runsUnconfined } from "../contract/consent-preview.ts";
import { type Answer, type ConsentRequest, isApproval } from "../contract/consent-request.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ChosenRule } from "../contract/rule.ts";
import type { AnsweredRoot } from "../grants/grant.ts";
import {
  type CardClock,
  endOf,
  heldAt,
  heldForReading,
  isWatched,
  remainingOf,
  startedClock,
} from "./card-clock.ts";
import {
  type Answered,
  isUndoable,
  offersRule,
  type UndoableDenial,
  undoableDenial,
  type Verdict,
  withdrawalOf,
} from "./verdict.ts";

export interface ConsentQueueOptions {
  /** Monotonic milliseconds: the countdown does not follow the wall clock. */
  readonly now: () => number;
  /** Milliseconds since the epoch, for "asked at". */
  readonly wall: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly newId: () => string;
  readonly onChange: () => void;
  /** A denial is held, was taken back or has left. */
  readonly onHeld: () => void;
}

export interface WaitingRequest {
  readonly request: ConsentRequest;
  /** Milliseconds left of the countdown; null before it was seen, or where there is none. */
  readonly remaining_ms: number | null;
  /** For how many milliseconds from now on the countdown stands still. */
  readonly held_ms: number;
  /** Milliseconds since the epoch. */
  readonly asked_at: number;
}

/** A request whose denial has not left yet. */
interface DeniedRequest extends Omit<WaitingRequest, "remaining_ms" | "held_ms"> {
  /** Milliseconds. */
  readonly leaves_in_ms: number;
}

export type AnswerFault =
  | "not_found"
  | "not_offered"
  | "too_early"
  | "not_read"
  | "not_held"
  | "root_needed";

interface Reservation {
  /** @param ended aborted when the request is withdrawn; its reason says why */
  ask(request: Omit<ConsentRequest, "request_id">, ended: AbortSignal): Promise<Verdict>;
  release(): void;
}

/** Taken by a call from before its card is drawn. */
interface Place {
  readonly agentId: string;
  /** The agent is a program on this computer. */
  readonly isLocal: boolean;
}

interface Waiting {
  request: ConsentRequest;
  readonly place: Place;
  readonly settle: (verdict: Verdict) => void;
  readonly askedAt: number;
  /** Started when the card was first visible. */
  clock: CardClock | null;
  /** When the card came into sight, the last time after a denial was taken back. */
  appearedAt: number | null;
  /** A page said that the end of what the card shows was in sight. */
  readToEnd: boolean;
  /** Since when the person has held the button that allows it; null: they do not. */
  heldSince: number | null;
  held: UndoableDenial | null;
  stopTimer: () => void;
}

/**
 * The requests that wait for the person, in arrival order (contract §3, §11). A request is
 * waiting → shown → answered, timed out or withdrawn; it ends exactly once, and only the person's
 * answer can approve it.
 */
export class ConsentQueue {
  readonly #options: ConsentQueueOptions;
  readonly #waiting = new Map<string, Waiting>();
  /** Places taken by calls whose card is still being drawn. */
  readonly #reserved = new Set<Place>();

  constructor(options: ConsentQueueOptions) {
    this.#options = options;
  }

  /** A place for one request, or null when the limits of contract §3 are reached. */
  reserve(agentId: string, isLocal = false): Reservation | null {
    const place = { agentId, isLocal };
    if (this.#isFull(place)) return null;
    this.#reserved.add(place);
    const release = (): void => void this.#reserved.delete(place);
    return {
      release,
      ask: (asked, ended) => {
        release();
        return this.#ask(place, asked, ended);
      },
    };
  }

  #ask(
    place: Place,
    asked: Omit<ConsentRequest, "request_id">,
    ended: AbortSignal,
  ): Promise<Verdict> {
    const request: ConsentRequest = { ...asked, request_id: this.#options.newId() };
    const withdraw = () => {
      const why = withdrawalOf(ended) ?? "cancelled";
      this.#end(request.request_id, { kind: "withdrawn", why });
    };
    ended.addEventListener("abort", withdraw);
    return new Promise((settle) => {
      this.#waiting.set(request.request_id, {
        request,
        place,
        settle: (verdict) => {
          ended.removeEventListener("abort", withdraw);
          settle(verdict);
        },
        askedAt: this.#options.wall(),
        clock: null,
        appearedAt: null,
        readToEnd: false,
        heldSince: null,
        held: null,
        stopTimer: () => {},
      });
      this.#options.onChange();
    });
  }

  waiting(): readonly WaitingRequest[] {
    return [...this.#waiting.values()]
      .filter(({ held }) => held === null)
      .map((each) => ({
        request: each.request,
        remaining_ms: this.#remaining(each),
        held_ms: each.clock === null ? 0 : heldAt(each.clock, this.#options.now()),
        asked_at: each.askedAt,
      }));
  }

  /** Those that were denied and can still be put back. */
  held(): readonly DeniedRequest[] {
    return [...this.#waiting.values()].flatMap(({ request, askedAt, held }) =>
      held === null
        ? []
        : [{ request, asked_at: askedAt, leaves_in_ms: Math.max(0, this.#until(held.leavesAt)) }],
    );
  }

  /** The card is visible, so the countdown starts. A second call changes nothing. */
  opened(requestId: string): AnswerFault | null {
    const found = this.#asking(requestId);
    if (found === undefined) return "not_found";
    found.appearedAt ??= this.#options.now();
    if (found.clock === null) {
      this.#setClock(found, startedClock(found.request.timeout_ms, found.appearedAt));
    }
    return null;
  }

  /**
   * The person scrolls, selects or unfolds in the card. That holds its countdown for a moment, and
   * for five minutes in all (contract §3).
   */
  reading(requestId: string): AnswerFault | null {
    const found = this.#asking(requestId);
    if (found === undefined) return "not_found";
    if (found.clock === null) return "too_early";
    const held = heldForReading(found.clock, this.#options.now());
    if (held !== found.clock) this.#setClock(found, held);
    return null;
  }

  /** The end of what the card shows has been in sight; a high one is approved only after that. */
  read(requestId: string): AnswerFault | null {
    const found = this.#asking(requestId);
    if (found === undefined) return "not_found";
    if (found.clock === null) return "too_early";
    found.readToEnd = true;
    return null;
  }

  /** The button that allows it is held down, or was let go (contract §3). */
  holding(requestId: string, isHeld: boolean): AnswerFault | null {
    const found = this.#asking(requestId);
    if (found === undefined) return "not_found";
    if (found.clock === null) return "too_early";
    found.heldSince = isHeld ? this.#options.now() : null;
    return null;
  }

  #setClock(waiting: Waiting, clock: CardClock): void {
    const { now, after, onChange } = this.#options;
    waiting.clock = clock;
    waiting.stopTimer();
    const end = endOf(clock);
    if (end !== null) {
      const { request_id } = waiting.request;
      waiting.stopTimer = after(end - now(), () => this.#timeOut(request_id));
    }
    onChange();
  }

  #timeOut(requestId: string): void {
    const clock = this.#waiting.get(requestId)?.clock ?? null;
    const watched = clock !== null && isWatched(clock, this.#options.now());
    this.#end(requestId, { kind: "timed_out", watched });
  }

  /** Whether this answer would count now; a host asks before it resolves a chosen folder. */
  faultOf(
    requestId: string,
    answer: Answer,
    rootGiven: boolean,
    rule: Pick<ChosenRule, "subject"> | null = null,
  ): AnswerFault | null {
    const found = this.#asking(requestId);
    if (found === undefined) return "not_found";
    if (!found.request.answers.includes(answer)) return "not_offered";
    if (rule !== null && !offersRule(found.request, answer, rule.subject)) return "not_offered";
    if (!isApproval(answer)) return null;
    const { appearedAt, request, readToEnd, heldSince } = found;
    if (appearedAt === null || this.#options.now() - appearedAt < LIMITS.approvalInertMs) {
      return "too_early";
    }
    if (request.sensitivity === "high" && !readToEnd) return "not_read";
    const held = heldSince === null ? 0 : this.#options.now() - heldSince;
    if (runsUnconfined(request.preview) && held < LIMITS.holdToAllowMs - LIMITS.holdSlackMs) {
      return "not_held";
    }
    if (request.root_wanted !== null && !rootGiven) return "root_needed";
    return null;
  }

  /**
   * @param rule the rule that the answer makes: about one of the request's `rule_subjects`
   * @param undoable whether a denial can be taken back for a while, because a page offers it
   * @param words the person's words for the agent, with a denial, or their answers to its questions
   */
  answer(
    requestId: string,
    answer: Answer,
    root: AnsweredRoot | null,
    rule: ChosenRule | null = null,
    undoable = false,
    words: Pick<Answered, "message" | "chosen"> = {},
  ): AnswerFault | null {
    const fault = this.faultOf(requestId, answer, root !== null, rule);
    if (fault !== null) return fault;
    const found = this.#waiting.get(requestId);
    // The timer may be late on a busy machine; an answer after the limit does not count.
    const late = found !== undefined && (this.#remaining(found) ?? 1) <= 0;
    if (late) this.#timeOut(requestId);
    else this.#settle(requestId, { kind: "answered", answer, root, rule, ...words }, undoable);
    return late ? "not_found" : null;
  }

  /**
   * Takes a denial back that has not left yet: the request waits again, on the clock that it had. It
   * allows nothing: an approval counts only after the card was visible again.
   */
  undo(requestId: string): AnswerFault | null {
    const found = this.#waiting.get(requestId);
    // The timer may be late on a busy machine.
    if (!found?.held || this.#until(found.held.leavesAt) <= 0) return "not_found";
    const { decidedElsewhere, stop } = found.held;
    stop();
    found.held = null;
    found.appearedAt = null;
    found.heldSince = null;
    if (decidedElsewhere) this.#end(requestId, { kind: "reconsider" });
    else this.#options.onChange();
    this.#options.onHeld();
    return null;
  }

  /** Sends matching requests back for a new decision: a new quiet period may cover them. */
  reconsider(covered: (request: ConsentRequest) => boolean): void {
    for (const { request, held } of [...this.#waiting.values()]) {
      if (!covered(request)) continue;
      if (held === null) this.#end(request.request_id, { kind: "reconsider" });
      else held.decidedElsewhere = true;
    }
  }

  /** Matching requests wait on without wanting a folder: the agent has one by now that does. */
  wantNoRoot(opened: (request: ConsentRequest) => boolean): void {
    for (const each of this.#waiting.values()) {
      if (opened(each.request)) each.request = { ...each.request, root_wanted: null };
    }
    this.#options.onChange();
  }

  #settle(requestId: string, verdict: Answered, undoable: boolean): void {
    const found = this.#waiting.get(requestId);
    if (found === undefined || !undoable || !isUndoable(verdict)) {
      this.#end(requestId, verdict);
      return;
    }
    found.held = undoableDenial(this.#options, verdict, () => this.#end(requestId, verdict));
    this.#options.onHeld();
    this.#options.onChange();
  }

  /** A denial that is held stands, whatever else ends the request meanwhile. */
  #end(requestId: string, verdict: Verdict): void {
    const found = this.#waiting.get(requestId);
    if (found === undefined) return;
    this.#waiting.delete(requestId);
    found.stopTimer();
    found.held?.stop();
    found.settle(found.held?.verdict ?? verdict);
    if (found.held === null) this.#options.onChange();
    else this.#options.onHeld();
  }

  /** Waits for an answer: one that was denied does not, even while the denial is held. */
  #asking(requestId: string): Waiting | undefined {
    const found = this.#waiting.get(requestId);
    return found?.held === null ? found : undefined;
  }

  #until(moment: number): number {
    return moment - this.#options.now();
  }

  #remaining(waiting: Waiting): number | null {
    return waiting.clock === null ? null : remainingOf(waiting.clock, this.#options.now());
  }

  #isFull({ agentId, isLocal }: Place): boolean {
    const waiting = [...this.#waiting.values()].map(({ place }) => place);
    const taken = [...waiting, ...this.#reserved].filter((each) => each.isLocal === isLocal);
    if (isLocal) return taken.length >= LIMITS.waitingLocal;
    if (taken.length >= LIMITS.waitingInAll) return true;
    return taken.filter((each) => each.agentId === agentId).length >= LIMITS.waitingPerAgent;
  }
}
