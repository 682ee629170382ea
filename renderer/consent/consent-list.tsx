import {
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import type { TurnedAwayView } from "../../app/bridge/consent-views.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { useTexts } from "../language.tsx";
import { DrawGuard } from "../parts/empty.tsx";
import { isPageKey } from "../parts/page-keys.ts";
import { TurnedAwayNote } from "../parts/turned-away.tsx";
import type { ReceivedCard } from "../state/store.ts";
import { labelOfCard } from "../text/agent-labels.ts";
import { type ConsentActions, ConsentCardView } from "./consent-card.tsx";
import { ListCard } from "./list-card.tsx";
import { type CardList, cardsIn, stepFrom } from "./open-request.ts";
import { WaitingList } from "./waiting-list.tsx";

interface ConsentListProps extends Omit<CardList, "isThere"> {
  readonly connected: boolean;
  readonly actions: ConsentActions;
  /** What the person can do with the whole list, besides answering. */
  readonly buttons: ReactNode;
  /** Puts the requests off. */
  readonly onLater: () => void;
  /** Below the card. */
  readonly foot?: ReactNode;
  readonly turnedAway: TurnedAwayView;
  readonly onTurnedAwaySeen: () => void;
  /** The page beside the list has the keyboard. */
  readonly docked?: boolean;
}

export function ConsentList(props: ConsentListProps) {
  const { list, waiting, request, choose, connected, actions, docked = false } = props;
  const place = request.open.length === 0 ? null : request.open.join(" ");
  useEscape(list, place, docked, props.onLater);
  const justReplaced = useJustReplaced(list, place);
  useNextInView(list, place, docked);
  const step = useSteps(props);
  const cards = cardsIn(request, props.placed);
  const open = waiting.filter(({ card }) => request.open.includes(card.request_id));
  const [received] = open;
  const position = cards.indexOf(request.open) + 1;
  const shown = { position, total: cards.length, connected, actions };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of whatever has the focus inside
    <div className="consent-list" ref={list} data-just-replaced={justReplaced} onKeyDown={step}>
      <div className="consent-bar">
        <div className="deny-all">
          <DenyAllButton
            agent_id={received?.card.agent_id}
            open={open.length}
            waiting={waiting}
            connected={connected}
            actions={actions}
          />
        </div>
        {props.buttons}
      </div>
      <TurnedAwayNote view={props.turnedAway} onSeen={props.onTurnedAwaySeen} />
      {cards.length > 1 ? (
        <WaitingList
          waiting={waiting}
          open={request.open}
          choose={(id) => choose(cards.find((card) => card.includes(id)) ?? [id])}
          docked={docked}
        />
      ) : null}
      {received === undefined ? null : (
        <div className="card-place" key={received.card.request_id}>
          <DrawGuard
            instead={<FailedCard request_id={received.card.request_id} actions={actions} />}
          >
            {open.length === 1 ? (
              <ConsentCardView received={received} {...shown} />
            ) : (
              <ListCard open={open} {...shown} />
            )}
          </DrawGuard>
        </div>
      )}
      {props.foot === undefined ? null : <div className="consent-foot">{props.foot}</div>}
    </div>
  );
}

/** The keys that open another request. They answer nothing. */
function useSteps({ request, placed, choose }: Pick<CardList, "request" | "placed" | "choose">) {
  return ({ nativeEvent, currentTarget }: ReactKeyboardEvent): void => {
    // Not in a dialog over the cards.
    if (!currentTarget.contains(nativeEvent.target as Node)) return;
    const step = isPageKey("next_request", nativeEvent)
      ? 1
      : isPageKey("previous_request", nativeEvent)
        ? -1
        : null;
    const next = step === null ? undefined : stepFrom(request, placed, step);
    if (next !== undefined) choose(next);
  };
}

/** Esc puts the requests off; at the edge only from inside. A card that just came is not meant. */
function useEscape(
  list: RefObject<HTMLElement | null>,
  open: string | null,
  docked: boolean,
  onLater: () => void,
): void {
  const latest = useRef(onLater);
  latest.current = onLater;
  useEffect(() => {
    if (open === null) return;
    const since = performance.now();
    const listening = new AbortController();
    const pressed = (event: KeyboardEvent): void => {
      if (!isPageKey("later", event) || event.defaultPrevented) return;
      if (performance.now() - since < LIMITS.approvalInertMs) return;
      const focused = document.activeElement;
      const isInside = list.current?.contains(focused) === true;
      const inDialog = focused?.closest(DIALOG)?.contains(list.current) === false;
      if (!inDialog && (isInside || !docked)) latest.current();
    };
    document.addEventListener("keydown", pressed, { signal: listening.signal });
    return () => listening.abort();
  }, [list, open, docked]);
}

interface DenyAllProps {
  /** Of the open request. */
  readonly agent_id: string | undefined;
  /** How many requests the open card has. */
  readonly open: number;
  readonly waiting: readonly ReceivedCard[];
  readonly connected: boolean;
  readonly actions: ConsentActions;
}

/** Offered if the open card's agent asks for more than the card shows: denies all that wait now. */
function DenyAllButton({ agent_id, open, waiting, connected, actions }: DenyAllProps) {
  const { t } = useTexts();
  const asked = waiting.filter(({ card }) => card.agent_id === agent_id);
  const [first] = asked;
  if (first === undefined || asked.length <= open) return null;
  const answers = asked.map(({ card: { request_id } }) => ({
    request_id,
    answer: "deny" as const,
  }));
  return (
    <button
      type="button"
      data-testid="consent-deny-all"
      data-agent-id={agent_id}
      disabled={!connected}
      onClick={() => void actions.answerGroup(answers)}
    >
      {t("consent.deny_all", { agent: labelOfCard(t, first.card) })}
    </button>
  );
}

/** A request that cannot be displayed cannot be approved, only denied. */
function FailedCard(props: Readonly<{ request_id: string; actions: ConsentActions }>) {
  const { request_id, actions } = props;
  const { t } = useTexts();
  return (
    <article className="consent-card" data-testid="consent-failed">
      <h2 tabIndex={-1}>{t("consent.card_failed_title")}</h2>
      <p role="alert">{t("consent.card_failed")}</p>
      <div className="answer-row">
        <button
          type="button"
          data-testid="consent-failed-deny"
          onClick={() => void actions.answer(request_id, "deny")}
        >
          {t("consent.deny")}
        </button>
      </div>
    </article>
  );
}

interface Place {
  readonly open: string | null;
  readonly justReplaced: boolean;
}

/**
 * A card that takes another one's place comes under the pointer, so presses on it count only after
 * the time that an approval waits too; the second click of a double click answers nothing. True
 * for that time: its buttons look as they are.
 */
function useJustReplaced(list: RefObject<HTMLElement | null>, open: string | null): boolean {
  const [place, setPlace] = useState<Place>({ open, justReplaced: false });
  // While rendering, so that the new card's buttons are never drawn as if they could be pressed.
  if (place.open !== open) setPlace({ open, justReplaced: place.open !== null && open !== null });
  useEffect(() => {
    if (!place.justReplaced) return;
    const listening = new AbortController();
    const early = (event: MouseEvent): void => {
      // A click by keyboard or assistive technology has no place on the screen.
      if (event.detail === 0 || !(event.target instanceof Element)) return;
      if (!list.current?.contains(event.target) || !event.target.closest("article")) return;
      event.stopPropagation();
    };
    window.addEventListener("click", early, { signal: listening.signal, capture: true });
    const timer = setTimeout(
      () => setPlace(({ open: now }) => ({ open: now, justReplaced: false })),
      LIMITS.approvalInertMs,
    );
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, [list, place]);
  return place.justReplaced;
}

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/**
 * The keyboard is at the open card's heading, never on a button, and the card is in view: its time
 * begins when it is seen, and nobody should have to look for it.
 *
 * @param docked the keyboard stays with the page beside the list, if that has it
 */
function useNextInView(
  list: RefObject<HTMLElement | null>,
  open: string | null,
  docked: boolean,
): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    const isReplaced = before.current !== null && before.current !== open;
    before.current = open;
    const holder = list.current;
    const card = holder?.querySelector("article");
    if (open === null || !holder || !card) return;
    // The first request comes before an open dialog. One that the person opens after that, the list of
    // keys for example, keeps the keyboard: Esc is for it, and not for a card that has just come.
    const openBefore = isReplaced ? [] : [...document.querySelectorAll(DIALOG)];
    const take = (): void => {
      const dialog = document.activeElement?.closest(DIALOG) ?? null;
      const givesWay = dialog === null || dialog.contains(holder) || openBefore.includes(dialog);
      if (givesWay && (!docked || !isElsewhere(holder))) focusHeading(card);
    };
    take();
    if (isReplaced && !isWhollyInView(card)) card.scrollIntoView({ block: "nearest" });
    // A dialog moves the keyboard on from what is no longer there, to whatever is first in it.
    const frame = requestAnimationFrame(() => requestAnimationFrame(take));
    return () => cancelAnimationFrame(frame);
  }, [list, open, docked]);
}

/** Unless the keyboard is in the card already. */
function focusHeading(card: Element): void {
  if (card.contains(document.activeElement)) return;
  card.querySelector("h2")?.focus({ preventScroll: true });
}

function isWhollyInView(card: Element): boolean {
  const { top, bottom } = card.getBoundingClientRect();
  const free = Number.parseFloat(getComputedStyle(card).scrollMarginBlockStart) || 0;
  return top >= free && bottom <= window.innerHeight;
}

/** Whether something on the page that is not in this list has the keyboard. */
const isElsewhere = (list: Element): boolean =>
  document.activeElement !== null &&
  document.activeElement !== document.body &&
  !list.contains(document.activeElement);
