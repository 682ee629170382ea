import { useCallback, useState, useSyncExternalStore } from "react";
import { Button, Disclosure, DisclosurePanel } from "react-aria-components";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { CallWords } from "../calls/call-words.tsx";
import { useTexts } from "../language.tsx";
import { DrawGuard } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { SensitivityBadge } from "../parts/scope-list.tsx";
import { secondsShown } from "../state/countdown.ts";
import type { ReceivedCard } from "../state/store.ts";
import { labelOfCard } from "../text/agent-labels.ts";
import { timeLeft } from "../text/format.ts";
import { useTimeLeft } from "./countdown-bar.tsx";

interface WaitingListProps {
  readonly waiting: readonly ReceivedCard[];
  /** The requests on the open card. */
  readonly open: readonly string[];
  readonly choose: (request_id: string) => void;
  /** The cards are at the page's edge. */
  readonly docked: boolean;
}

/** Where the list has its place beside the card. The same width is in styles/consent.css. */
const ROOMY = "(min-width: 80rem) and (min-height: 36rem)";

/** All that wait, one line each. A line answers nothing and starts no clock. */
export function WaitingList({ waiting, open, choose, docked }: WaitingListProps) {
  const { t } = useTexts();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isRoomy = useMedia(ROOMY);
  const count = waiting.length;
  return (
    <Disclosure
      className="waiting-list"
      // Unless the person says otherwise, it is open where it takes no room from the card.
      isExpanded={chosen ?? (isRoomy && !docked)}
      onExpandedChange={setChosen}
    >
      <Button slot="trigger" className="quiet" data-testid="waiting-fold">
        <span role="status">{t("consent.list", { count })}</span>
        <span className="call-unfold">
          <Icon name="unfold" />
        </span>
      </Button>
      <DisclosurePanel>
        <ol data-testid="waiting-list">
          {waiting.map((received) => (
            <Row
              key={received.card.request_id}
              received={received}
              isOpen={open.includes(received.card.request_id)}
              choose={choose}
            />
          ))}
        </ol>
      </DisclosurePanel>
    </Disclosure>
  );
}

interface RowProps {
  readonly received: ReceivedCard;
  readonly isOpen: boolean;
  readonly choose: (request_id: string) => void;
}

function Row({ received, isOpen, choose }: RowProps) {
  const { t } = useTexts();
  const { card } = received;
  return (
    <li>
      <button
        type="button"
        className="quiet waiting-row"
        aria-current={isOpen}
        data-testid="waiting-row"
        data-request-id={card.request_id}
        data-tool={card.tool_name}
        onClick={() => choose(card.request_id)}
      >
        <span className="waiting-words">
          <DrawGuard instead={<CallWords call={card} />}>
            <Words received={received} />
          </DrawGuard>
        </span>
        <span className="muted">{labelOfCard(t, card)}</span>
        <span className="waiting-signs">
          <SensitivityBadge level={card.sensitivity} />
          <TimeLeft received={received} />
        </span>
      </button>
    </li>
  );
}

function Words({ received: { card } }: Pick<RowProps, "received">) {
  return <CallWords call={{ tool_name: card.tool_name, target: callTarget(card) }} />;
}

function TimeLeft({ received }: Pick<RowProps, "received">) {
  const { t, language } = useTexts();
  const timed = useTimeLeft(received);
  if (timed === null) return null;
  return (
    <span
      className={timed.running ? undefined : "muted"}
      title={timed.running ? undefined : t("consent.not_started")}
      data-testid="waiting-time"
      data-seconds={secondsShown(timed.remaining_ms)}
      data-running={timed.running}
    >
      {timeLeft(language, timed.remaining_ms)}
    </span>
  );
}

/** Whether the window is as a media query says, also after it was resized. */
function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
