import { Button } from "react-aria-components";
import { useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { steadyClock, useNow } from "../parts/use-now.ts";
import { countdownOf, remainingAt, secondsShown } from "../state/countdown.ts";
import type { ReceivedCard } from "../state/store.ts";

const TICK_MS = 250;

/** Above every page: requests that wait elsewhere, how long the first still does, and the way there. */
export function WaitingBar({ onShow }: { readonly onShow: () => void }) {
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
