import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useTexts } from "../language.tsx";
import { DrawGuard } from "../parts/draw-guard.tsx";
import type { ReceivedCard } from "../state/store.ts";
import { labelOfCard } from "../text/agent-labels.ts";
import { AlikeRequests } from "./alike-requests.tsx";
import { isDrawn, type Slot } from "./card-slots.ts";
import { type ConsentActions, ConsentCardView } from "./consent-card.tsx";
import { FailedCard } from "./failed-card.tsx";
import { isElsewhere } from "./is-elsewhere.ts";
import type { PointerWatch } from "./use-slots.ts";

type ListElement = RefObject<HTMLDivElement | null>;

interface ConsentListProps {
  readonly list: ListElement;
  readonly slots: readonly Slot[];
  readonly pointer: PointerWatch;
  readonly waiting: readonly ReceivedCard[];
  readonly connected: boolean;
  readonly actions: ConsentActions;
  /** What the person can do with the whole list, besides answering. */
  readonly buttons: ReactNode;
  /** The page beside the list has the keyboard. */
  readonly docked?: boolean;
}

/** The waiting cards in order of arrival; the focus starts on a heading, never on a button. */
export function ConsentList(props: ConsentListProps) {
  const { list, slots, pointer, waiting, connected, actions, docked = false } = props;
  const { t } = useTexts();
  const drawn = slots.filter(isDrawn);
  useEscape(list, drawn.length > 0 && !docked);
  const lastDrawn = slots.findLastIndex(isDrawn);
  const ids = waiting.map(({ card }) => card.request_id);
  return (
    <div className="consent-list" ref={list} {...pointer}>
      <div className="consent-bar">
        <p>{t("consent.layer")}</p>
        <div className="deny-all">
          <DrawGuard instead={null}>
            <AlikeRequests waiting={waiting} connected={connected} actions={actions} />
          </DrawGuard>
          <DenyAllButtons waiting={waiting} connected={connected} actions={actions} />
        </div>
        {props.buttons}
      </div>
      {slots.map(({ received, gone_at }, index) => (
        <Place
          key={received.card.request_id}
          received={received}
          gone={gone_at !== null}
          nextIsBelow={index < lastDrawn}
          position={ids.indexOf(received.card.request_id) + 1}
          total={ids.length}
          connected={connected}
          actions={actions}
        />
      ))}
    </div>
  );
}

interface PlaceProps {
  readonly received: ReceivedCard;
  readonly gone: boolean;
  readonly nextIsBelow: boolean;
  readonly position: number;
  readonly total: number;
  readonly connected: boolean;
  readonly actions: ConsentActions;
}

/** A card, and afterwards an empty slot of the same height. */
function Place({ gone, nextIsBelow, ...card }: PlaceProps) {
  const { t } = useTexts();
  const place = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  useLayoutEffect(() => {
    // Exact: half a pixel more would move the cards below and disarm their buttons.
    if (!gone) height.current = place.current?.getBoundingClientRect().height ?? 0;
  });
  return (
    <div
      ref={place}
      className={gone && nextIsBelow ? "empty-place" : undefined}
      style={gone ? { height: height.current } : undefined}
    >
      {gone && nextIsBelow ? <p>{t("consent.next_below")}</p> : null}
      {gone ? null : (
        <DrawGuard
          instead={<FailedCard request_id={card.received.card.request_id} actions={card.actions} />}
        >
          <ConsentCardView {...card} />
        </DrawGuard>
      )}
    </div>
  );
}

/**
 * Focuses the first heading when the list appears and whenever nothing in it has the focus; never
 * takes the focus from something in the list. If the list is in a dialog, that has already taken
 * the focus from everything else.
 *
 * @param docked takes it only where nothing beside the list has it
 */
export function useFocusOnHeading(slots: readonly Slot[], docked = false): ListElement {
  const list = useRef<HTMLDivElement>(null);
  const appeared = useRef(false);
  useEffect(() => {
    const holder = list.current;
    const isNew = !appeared.current;
    appeared.current = slots.length > 0 && holder !== null;
    if (!appeared.current || holder === null) return;
    if (!isNew && holder.contains(document.activeElement)) return;
    if (docked && isElsewhere(holder)) return;
    holder.querySelector<HTMLElement>("article h2")?.focus({ preventScroll: true });
  }, [slots, docked]);
  return list;
}

/** Esc without a focused card moves to the first, and denies nothing. */
function useEscape(list: { readonly current: HTMLDivElement | null }, hasCards: boolean): void {
  useEffect(() => {
    if (!hasCards) return;
    const listening = new AbortController();
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.isComposing) return;
      if (document.activeElement?.closest("article") instanceof Element) return;
      list.current?.querySelector<HTMLElement>("article h2")?.focus();
    };
    document.addEventListener("keydown", pressed, { signal: listening.signal });
    return () => listening.abort();
  }, [list, hasCards]);
}

interface DenyAllProps {
  readonly waiting: readonly ReceivedCard[];
  readonly connected: boolean;
  readonly actions: ConsentActions;
}

/** Offered if one agent asks for several things: denies those that wait now. */
function DenyAllButtons({ waiting, connected, actions }: DenyAllProps) {
  const { t } = useTexts();
  const labels = new Map(waiting.map(({ card }) => [card.agent_id, labelOfCard(t, card)]));
  return [...labels].map(([id, agent]) => {
    const asked = waiting.filter(({ card }) => card.agent_id === id);
    if (asked.length < 2) return null;
    const ids = asked.map(({ card }) => card.request_id);
    return (
      <button
        type="button"
        key={id}
        data-testid="consent-deny-all"
        data-agent-id={id}
        disabled={!connected}
        onClick={() => void actions.answerGroup(ids, "deny")}
      >
        {t("consent.deny_all", { agent })}
      </button>
    );
  });
}
