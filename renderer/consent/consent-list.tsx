import { type KeyboardEvent as ReactKeyboardEvent, type ReactNode, useEffect } from "react";
import type { TurnedAwayView } from "../../app/bridge/agent-views.ts";
import { useTexts } from "../language.tsx";
import { DrawGuard } from "../parts/draw-guard.tsx";
import { isPageKey } from "../parts/page-keys.ts";
import { TurnedAwayNote } from "../parts/turned-away.tsx";
import type { ReceivedCard } from "../state/store.ts";
import { labelOfCard } from "../text/agent-labels.ts";
import { AlikeRequests } from "./alike-requests.tsx";
import { type ConsentActions, ConsentCardView } from "./consent-card.tsx";
import { FailedCard } from "./failed-card.tsx";
import { type OpenRequest, stepFrom } from "./open-request.ts";
import type { CardList } from "./use-card-list.ts";
import { useJustReplaced } from "./use-just-replaced.ts";
import { useNextInView } from "./use-next-in-view.ts";
import { WaitingList } from "./waiting-list.tsx";

interface ConsentListProps extends Omit<CardList, "isThere"> {
  readonly connected: boolean;
  readonly actions: ConsentActions;
  /** What the person can do with the whole list, besides answering. */
  readonly buttons: ReactNode;
  /** Below the card. */
  readonly foot?: ReactNode;
  readonly turnedAway: TurnedAwayView;
  readonly onTurnedAwaySeen: () => void;
  /** The page beside the list has the keyboard. */
  readonly docked?: boolean;
}

/** The open request's card, and a list of all where several wait. */
export function ConsentList(props: ConsentListProps) {
  const { list, waiting, request, choose, connected, actions, docked = false } = props;
  const { t } = useTexts();
  useEscape(list, waiting.length > 0 && !docked);
  const justReplaced = useJustReplaced(list, request.open);
  useNextInView(list, request.open, docked);
  const step = useSteps(request, choose);
  const ids = waiting.map(({ card }) => card.request_id);
  const at = ids.indexOf(request.open ?? "");
  const received = waiting[at];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of whatever has the focus inside
    <div className="consent-list" ref={list} data-just-replaced={justReplaced} onKeyDown={step}>
      <div className="consent-bar">
        <p>{t("consent.layer")}</p>
        <div className="deny-all">
          <DrawGuard instead={null}>
            <AlikeRequests waiting={waiting} connected={connected} actions={actions} />
          </DrawGuard>
          <DenyAllButton
            agent_id={received?.card.agent_id}
            waiting={waiting}
            connected={connected}
            actions={actions}
          />
        </div>
        {props.buttons}
      </div>
      <TurnedAwayNote view={props.turnedAway} onSeen={props.onTurnedAwaySeen} />
      {waiting.length > 1 ? (
        <WaitingList waiting={waiting} request={request} choose={choose} docked={docked} />
      ) : null}
      {received === undefined ? null : (
        <div className="card-place" key={received.card.request_id}>
          <DrawGuard
            instead={<FailedCard request_id={received.card.request_id} actions={actions} />}
          >
            <ConsentCardView
              received={received}
              position={at + 1}
              total={ids.length}
              connected={connected}
              actions={actions}
            />
          </DrawGuard>
        </div>
      )}
      {props.foot === undefined ? null : <div className="consent-foot">{props.foot}</div>}
    </div>
  );
}

/** The keys that open another request. They answer nothing. */
function useSteps(request: OpenRequest, choose: CardList["choose"]) {
  return ({ nativeEvent, currentTarget }: ReactKeyboardEvent): void => {
    // Not in a dialog over the cards.
    if (!currentTarget.contains(nativeEvent.target as Node)) return;
    const step = isPageKey("next_request", nativeEvent)
      ? 1
      : isPageKey("previous_request", nativeEvent)
        ? -1
        : null;
    const next = step === null ? null : stepFrom(request, step);
    if (next !== null) choose(next);
  };
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
  /** Of the open request. */
  readonly agent_id: string | undefined;
  readonly waiting: readonly ReceivedCard[];
  readonly connected: boolean;
  readonly actions: ConsentActions;
}

/** Offered if the open request's agent asks for several things: denies those that wait now. */
function DenyAllButton({ agent_id, waiting, connected, actions }: DenyAllProps) {
  const { t } = useTexts();
  const asked = waiting.filter(({ card }) => card.agent_id === agent_id);
  const [first] = asked;
  if (first === undefined || asked.length < 2) return null;
  const ids = asked.map(({ card }) => card.request_id);
  return (
    <button
      type="button"
      data-testid="consent-deny-all"
      data-agent-id={agent_id}
      disabled={!connected}
      onClick={() => void actions.answerGroup(ids, "deny")}
    >
      {t("consent.deny_all", { agent: labelOfCard(t, first.card) })}
    </button>
  );
}
