import type { PrekeyStore } from "./prekeys.ts";

const DAY_MS = 24 * 3_600_000;

export const PREKEY_RULES = {
  /**
   * A new signed prekey is published when the newest one is this old (X3DH §3.2: "once a week").
   */
  renewSignedAfterMs: 7 * DAY_MS,
  /** A replaced signed prekey is kept for messages still on the way, then deleted (X3DH §4.7). */
  keepReplacedMs: 30 * DAY_MS,
  /** No session is begun with a signed prekey older than this: it may have been stolen. */
  refuseAfterMs: 90 * DAY_MS,
  /** One-time prekeys at the hub: when fewer than `low` are left, they are topped up to `full`. */
  oneTimeLow: 20,
  oneTimeFull: 100,
  /** Private one-time prekeys kept, including those given out; the oldest are deleted first. */
  oneTimeKept: 400,
} as const;

export interface PrekeyPlan {
  readonly addSigned: boolean;
  readonly dropSigned: readonly number[];
  readonly addOneTime: number;
  readonly dropOneTime: readonly number[];
}

/**
 * What to publish and what to delete now.
 * @param atHub how many one-time prekeys the hub says it has left. It may lie, but only gains
 * sessions that begin without one, and it can get those by withholding them too (X3DH §4.7).
 */
export function planPrekeys(store: PrekeyStore, atHub: number, now: number): PrekeyPlan {
  const newest = Math.max(...store.signed.map(({ createdAt }) => createdAt));
  const addOneTime = atHub < PREKEY_RULES.oneTimeLow ? PREKEY_RULES.oneTimeFull - atHub : 0;
  const excess = store.oneTime.length + addOneTime - PREKEY_RULES.oneTimeKept;
  return {
    addSigned: !(now - newest < PREKEY_RULES.renewSignedAfterMs) || newest > now,
    dropSigned: replacedLongAgo(store, now),
    addOneTime,
    dropOneTime: store.oneTime.slice(0, Math.max(0, excess)).map(({ id }) => id),
  };
}

/** Ids of signed prekeys replaced more than `keepReplacedMs` ago. The newest is never replaced. */
function replacedLongAgo({ signed }: PrekeyStore, now: number): readonly number[] {
  return signed
    .filter((_, at) => {
      const successor = signed[at + 1];
      return successor !== undefined && now - successor.createdAt > PREKEY_RULES.keepReplacedMs;
    })
    .map(({ id }) => id);
}

export function dropPrekeys(store: PrekeyStore, plan: PrekeyPlan): PrekeyStore {
  return {
    ...store,
    signed: store.signed.filter(({ id }) => !plan.dropSigned.includes(id)),
    oneTime: store.oneTime.filter(({ id }) => !plan.dropOneTime.includes(id)),
  };
}
