import { LIMITS } from "../../app/contract/limits.ts";
import type { Clock, SendLimits } from "../hub-options.ts";
import type { Admission, NewMessage, NotKept } from "../hub-records.ts";

export interface Rate {
  /** Infinity: no limit, and nothing is remembered. */
  readonly most: number;
  /** Milliseconds. */
  readonly withinMs: number;
}

interface Taken {
  readonly at: number;
  readonly weight: number;
}

/** What was taken, by id, oldest first, and what it weighs together. */
interface Recent {
  readonly taken: Map<string, Taken>;
  total: number;
}

/**
 * How much of each sender was accepted in the past `withinMs` (contract §8). An item counts once,
 * under its id, from the moment it is stored and for exactly that long; a refused one never counts.
 *
 * Checking and counting happen synchronously, so all connections share one window. Nothing is kept
 * for a sender that was quiet for that long.
 */
export class RollingLimit {
  readonly #rate: Rate;
  readonly #clock: Clock;
  /** In the order of each sender's latest. */
  readonly #bySender = new Map<string, Recent>();
  #unnamed = 0;

  /** @param clock milliseconds that never go back: setting the wall clock moves no window */
  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** @returns whole milliseconds until this would be accepted; `undefined`: it is, now */
  mustWait(senderId: string, id: string, weight = 1): number | undefined {
    const now = this.#clock.now();
    const { taken, total } = this.#current(senderId, now);
    // One that already counts is another attempt at the same write.
    if (taken.has(id)) return undefined;
    // An item above the whole limit is accepted alone.
    let over = total + Math.min(weight, this.#rate.most) - this.#rate.most;
    for (const each of taken.values()) {
      if (over <= 0) return undefined;
      over -= each.weight;
      // Rounded up: a retry at exactly that time must not be refused.
      if (over <= 0) return Math.max(1, Math.ceil(each.at + this.#rate.withinMs - now));
    }
    return undefined;
  }

  count(senderId: string, id: string, weight = 1): void {
    if (this.#rate.most === Number.POSITIVE_INFINITY) return;
    const now = this.#clock.now();
    const recent = this.#current(senderId, now);
    if (!recent.taken.has(id)) {
      recent.taken.set(id, { at: now, weight });
      recent.total += weight;
    }
    this.#bySender.delete(senderId);
    this.#bySender.set(senderId, recent);
    this.#forgetQuiet(now);
  }

  /** Counts something that comes once, and needs no name. As `mustWait`. */
  take(senderId: string): number | undefined {
    this.#unnamed += 1;
    const id = String(this.#unnamed);
    const wait = this.mustWait(senderId, id);
    if (wait === undefined) this.count(senderId, id);
    return wait;
  }

  /** It could not be stored after all. */
  takeBack(senderId: string, id: string): void {
    const recent = this.#bySender.get(senderId);
    if (recent !== undefined) drop(recent, id);
  }

  /** How many senders are remembered. */
  get size(): number {
    return this.#bySender.size;
  }

  #current(senderId: string, now: number): Recent {
    const recent = this.#bySender.get(senderId) ?? { taken: new Map(), total: 0 };
    for (const [id, { at }] of recent.taken) {
      if (at + this.#rate.withinMs > now) break;
      drop(recent, id);
    }
    return recent;
  }

  /** The quietest come first, so this looks at one sender more than it forgets. */
  #forgetQuiet(now: number): void {
    for (const senderId of this.#bySender.keys()) {
      if (this.#current(senderId, now).taken.size > 0) return;
      this.#bySender.delete(senderId);
    }
  }
}

function drop(recent: Recent, id: string): void {
  recent.total -= recent.taken.get(id)?.weight ?? 0;
  recent.taken.delete(id);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How often each may change keys and ask for them, so that a flood affects only its sender. */
export interface KeyLimits {
  readonly keyChanges: RollingLimit;
  /** Each bundle takes a one-time prekey away. */
  readonly keysAsked: RollingLimit;
}

/** @param clock milliseconds that never go back */
export const keyLimits = (clock: Clock): KeyLimits => ({
  keyChanges: new RollingLimit({ most: LIMITS.keyChangesPerHour, withinMs: HOUR_MS }, clock),
  keysAsked: new RollingLimit({ most: LIMITS.keysAskedPerMinute, withinMs: MINUTE_MS }, clock),
});

/** What each agent may send, where one process sees all of it. */
export class SentRecently {
  readonly #toolCalls: RollingLimit;
  /** Weighed in bytes. */
  readonly #sent: RollingLimit;

  /** @param clock milliseconds that never go back */
  constructor(wanted: SendLimits, clock: Clock) {
    const { toolCallsPerMinute, sentBytesPerMinute } = { ...LIMITS, ...wanted };
    const limit = (most: number | null) =>
      new RollingLimit({ most: most ?? Number.POSITIVE_INFINITY, withinMs: MINUTE_MS }, clock);
    this.#toolCalls = limit(toolCallsPerMinute);
    this.#sent = limit(sentBytesPerMinute);
  }

  /** @returns why it may not be sent now; `undefined`: it may, and counts */
  take(message: NewMessage, { bytes, isCall }: Admission): NotKept | undefined {
    const { sender_id: sender, client_message_id: id } = message;
    const ofCalls = isCall ? this.#toolCalls.mustWait(sender, id) : undefined;
    const retryAfterMs = ofCalls ?? this.#sent.mustWait(sender, id, bytes);
    if (retryAfterMs !== undefined) return { refused: "RATE_LIMITED", retryAfterMs };
    if (isCall) this.#toolCalls.count(sender, id);
    this.#sent.count(sender, id, bytes);
    return undefined;
  }

  /** The message could not be kept after all. */
  takeBack({ sender_id, client_message_id }: NewMessage): void {
    for (const limit of [this.#toolCalls, this.#sent]) limit.takeBack(sender_id, client_message_id);
  }
}

/** As params of a refusal: in whole seconds, too, for those who count in them. */
export const retryAfter = (retry_after_ms: number) => ({
  retry_after: Math.ceil(retry_after_ms / 1_000),
  retry_after_ms,
});
