import { type RefObject, useEffect, useRef, useState } from "react";
import { mayShareCard } from "../../app/contract/request-group.ts";
import { steadyClock } from "../parts/use-now.ts";
import type { ReceivedCard } from "../state/store.ts";

/** A waiting request, as far as its place on a card goes. */
export interface Placed {
  readonly id: string;
  readonly agent_id: string;
  /** Whether it may stand on one card with others of its agent. */
  readonly shares: boolean;
}

/** Which of the waiting requests are on the open card, and what that was decided from. */
export interface OpenRequest {
  /** None: nothing waits. */
  readonly open: readonly string[];
  /** In the order they came. */
  readonly ids: readonly string[];
  /** Those that ended last: one that is back was put back by the person. */
  readonly ended: readonly string[];
  /** When a request last came onto the open card, in steady milliseconds. */
  readonly since: number;
}

export const NONE_OPEN: OpenRequest = { open: [], ids: [], ended: [], since: 0 };

/** As many as can be put back at once. */
const ENDED_KNOWN = 70;

/** How long an open card takes in what arrives together with what it shows. */
export const JOINS_MS = 1_000;

/** The requests on the card of this one: its agent's that share a card, else it alone. */
function cardOf(id: string, waiting: readonly Placed[]): readonly string[] {
  const found = waiting.find((each) => each.id === id);
  if (!found?.shares) return [id];
  const mates = waiting.filter(({ shares, agent_id }) => shares && agent_id === found.agent_id);
  return mates.map((each) => each.id);
}

/**
 * The open card once these wait. What comes never replaces it, and joins it only if it came together with what it shows.
 * When all on it have ended, the next one in the order they came is open, and after the last the first.
 */
export function openAfter(
  before: OpenRequest,
  waiting: readonly Placed[],
  now: number,
): OpenRequest {
  const ids = waiting.map(({ id }) => id);
  const isSame = ids.length === before.ids.length && ids.every((id, at) => id === before.ids[at]);
  if (isSame) return before;
  const ended = [...before.ended, ...before.ids]
    .filter((id) => !ids.includes(id))
    .slice(-ENDED_KNOWN);
  const back = ids.find((id) => before.ended.includes(id));
  const still = before.open.filter((id) => ids.includes(id));
  const [first] = still;
  if (back === undefined && first !== undefined) {
    const joins = now - before.since < JOINS_MS ? cardOf(first, waiting) : [];
    const open = ids.filter((id) => still.includes(id) || isNew(id, joins, before));
    return { open, ids, ended, since: open.length > still.length ? now : before.since };
  }
  const next = back ?? nextOf(before, ids);
  return { open: next === undefined ? [] : cardOf(next, waiting), ids, ended, since: now };
}

const isNew = (id: string, joins: readonly string[], { ids }: OpenRequest): boolean =>
  joins.includes(id) && !ids.includes(id);

function nextOf({ open: [first], ids: before }: OpenRequest, ids: readonly string[]) {
  const from = first === undefined ? [] : before.slice(before.indexOf(first));
  return from.find((id) => ids.includes(id)) ?? ids[0];
}

/** All cards, the open one among them, in the order of the first request on each. */
export function cardsIn(
  { open }: Pick<OpenRequest, "open">,
  waiting: readonly Placed[],
): readonly (readonly string[])[] {
  const others = waiting.filter(({ id }) => !open.includes(id));
  const cards = new Map<string, readonly string[]>();
  for (const { id } of waiting) {
    const card = open.includes(id) ? open : cardOf(id, others);
    cards.set(card[0] ?? id, card);
  }
  return [...cards.values()];
}

/** The card after (1) or before (-1) the open one, around the ends; undefined: there is no other. */
export function stepFrom(
  request: Pick<OpenRequest, "open">,
  waiting: readonly Placed[],
  step: 1 | -1,
): readonly string[] | undefined {
  const cards = cardsIn(request, waiting);
  const at = cards.indexOf(request.open);
  return cards.length < 2 ? undefined : cards[(at + step + cards.length) % cards.length];
}

/** One that cannot be drawn has a card of its own. */
function placed({ card }: ReceivedCard): Placed {
  const { request_id: id, agent_id } = card;
  try {
    return { id, agent_id, shares: mayShareCard(card) };
  } catch {
    return { id, agent_id, shares: false };
  }
}

/** Milliseconds that the cards' place stays after the last answer: a second press hits nothing. */
const LINGERS_MS = 400;

export interface CardList {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly waiting: readonly ReceivedCard[];
  readonly placed: readonly Placed[];
  readonly request: OpenRequest;
  /** Opens the card that has these. */
  readonly choose: (open: readonly string[]) => void;
  /** Something waits, or did a moment ago. */
  readonly isThere: boolean;
}

export function useCardList(waiting: readonly ReceivedCard[]): CardList {
  const list = useRef<HTMLDivElement>(null);
  const [known, setKnown] = useState<OpenRequest>(NONE_OPEN);
  const places = waiting.map(placed);
  // While rendering: no frame shows the list without an open card.
  const request = openAfter(known, places, steadyClock());
  if (request !== known) setKnown(request);
  const isThere = useLingering(waiting.length > 0);
  return {
    list,
    waiting,
    placed: places,
    request,
    choose: (open) => setKnown((before) => ({ ...before, open, since: steadyClock() })),
    isThere,
  };
}

function useLingering(waits: boolean): boolean {
  const [lingers, setLingers] = useState(waits);
  useEffect(() => {
    if (waits) {
      setLingers(true);
      return;
    }
    const timer = setTimeout(() => setLingers(false), LINGERS_MS);
    return () => clearTimeout(timer);
  }, [waits]);
  return waits || lingers;
}
