import type { PrekeyStore } from "./prekeys.ts";

const DAY_MS = 24 * 3_600_000;

export const PREKEY_RULES = {
  /** A new signed prekey is published when the newest is this old (X3DH §3.2: "once a week"). */
  renewSignedAfterMs: 7 * DAY_MS,
  /** A replaced one is kept for messages under way, then deleted (X3DH §4.7). */
  keepReplacedMs: 30 * DAY_MS,
  /** Nobody begins with a signed prekey older than this: it may have been stolen since. */
  refuseAfterMs: 90 * DAY_MS,
  /** One-time prekeys at the hub: below `low`, filled up to `full`. */
  oneTimeLow: 20,
  oneTimeFull: 100,
  /** Private one-time prekeys kept, given out ones included; beyond it the oldest go. */
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
 * @param atHub one-time prekeys that the hub says it still has. It may lie: the worst it gains is
 * sessions that begin without one, which it can have by withholding them anyway (X3DH §4.7).
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

/** A prekey is replaced when the next one is made; the newest never is. */
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
