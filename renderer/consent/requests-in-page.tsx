import { type ReactNode, useCallback, useState } from "react";
import { Button } from "react-aria-components";
import { useAct, useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Palette } from "../palette/palette.tsx";
import { Icon } from "../parts/icon.tsx";
import { steadyClock, useNow } from "../parts/use-now.ts";
import { countdownOf, remainingAt, secondsShown } from "../state/countdown.ts";
import type { ReceivedCard } from "../state/store.ts";
import { ConsentLayer } from "./consent-layer.tsx";
import { DeniedNote } from "./denied-note.tsx";
import { usePresence } from "./presence.tsx";

const NOTHING = (): void => {};

interface WithRequestsProps {
  /** The page, with what stands above it while requests wait. */
  readonly children: (bar: ReactNode, isCovered: boolean) => ReactNode;
}

/** The browser host: requests are in the page itself, unless the person put them off. */
export function RequestsInPage({ children }: WithRequestsProps) {
  const act = useAct();
  const waiting = useShown((shown) => shown.consents);
  const denials = useShown((shown) => shown.denials);
  const { presence, choose } = usePresence(waiting);
  // Commands come over the page. Cards that are there make room at the edge, and stay in sight.
  const [madeRoom, setMadeRoom] = useState(false);
  const onOpen = useCallback(() => {
    const isOver = presence === "modal" && waiting.length > 0;
    setMadeRoom(isOver);
    if (isOver) choose("docked");
  }, [presence, waiting, choose]);
  return (
    <>
      {children(
        presence === "later" ? <WaitingBar onShow={() => choose("modal")} /> : null,
        presence === "modal" && waiting.length > 0,
      )}
      <Palette
        onOpen={onOpen}
        onLeave={() => madeRoom && choose("modal")}
        showRequests={() => choose("modal")}
      />
      <ConsentLayer presence={presence} choose={choose} />
      <DeniedNote
        denials={denials}
        onUndo={(request_id) => void act("consent.undo", { request_id })}
      />
    </>
  );
}

/** The desktop host: they have a window of their own. */
export function RequestsElsewhere({ children }: WithRequestsProps) {
  const act = useAct();
  const show = (): void => void act("consent.show", {});
  return (
    <>
      {children(<WaitingBar onShow={show} />, false)}
      <Palette onOpen={NOTHING} onLeave={NOTHING} showRequests={show} />
    </>
  );
}

const TICK_MS = 250;

/** Above every page: requests that wait elsewhere, how long the first still does, and the way there. */
function WaitingBar({ onShow }: { readonly onShow: () => void }) {
  const { t } = useTexts();
  const waiting = useShown((shown) => shown.consents);
  if (waiting.length === 0) return null;
  return (
    <div className="notice waiting-bar" data-testid="waiting-bar">
      <Icon name="waiting" />
      <p>
        <span role="status">{t("home.waiting", { count: waiting.length })}</span>
        <SoonestEnd waiting={waiting} />
      </p>
      <Button className="primary" data-testid="show-requests" onPress={onShow}>
        {t("home.show_requests")}
      </Button>
    </div>
  );
}

/** Not read out each time it changes. */
function SoonestEnd({ waiting }: { readonly waiting: readonly ReceivedCard[] }) {
  const { t } = useTexts();
  const now = useNow(steadyClock, TICK_MS);
  const running = waiting.flatMap(({ card, received_at }) =>
    card.timeout_ms === null || card.remaining_ms === null
      ? []
      : [remainingAt(countdownOf(card.timeout_ms, card.remaining_ms, received_at), now)],
  );
  if (running.length === 0) return null;
  return ` · ${t("consent.seconds_left", { count: secondsShown(Math.min(...running)) })}`;
}
