import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import type { TurnedAwayView } from "../app/bridge/agent-views.ts";
import type { ConsentBridge } from "../app/bridge/client-bridge.ts";
import type { Settings } from "../app/contract/settings.ts";
import { consentBridge } from "./bridge.ts";
import { consentActions } from "./consent/consent-layer.tsx";
import { ConsentList } from "./consent/consent-list.tsx";
import { DeniedNote } from "./consent/denied-note.tsx";
import { KeySheet } from "./consent/key-sheet.tsx";
import { PresenceButtons } from "./consent/presence-buttons.tsx";
import { useCardList } from "./consent/use-card-list.ts";
import { LanguageProvider, useTexts } from "./language.tsx";
import { CARD_KEY_NAMES } from "./parts/page-keys.ts";
import { pickedFolder } from "./parts/picked-folder.ts";
import { steadyClock } from "./parts/use-now.ts";
import {
  type ReceivedCard,
  type ReceivedDenial,
  received,
  receivedDenials,
} from "./state/store.ts";
import "./styles/index.ts";
import { useTheme } from "./use-theme.ts";

type Look = Pick<Settings, "language" | "theme">;

interface Waiting {
  readonly cards: readonly ReceivedCard[];
  readonly denials: readonly ReceivedDenial[];
  readonly turnedAway: TurnedAwayView;
  readonly look: Look;
  /** The list could not be read: nothing can be approved here, and the host's time limits apply. */
  readonly failed: boolean;
}

/** What the consent window's host reports: the list once, then its changes. */
function useWaiting(door: ConsentBridge): Waiting {
  const [cards, setCards] = useState<readonly ReceivedCard[]>([]);
  const [denials, setDenials] = useState<readonly ReceivedDenial[]>([]);
  const [turnedAway, setTurnedAway] = useState<TurnedAwayView>({ agents: [], others: 0 });
  const [look, setLook] = useState<Look>({ language: null, theme: "system" });
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    let told = false;
    door.on(
      "consents.changed",
      (changed) => {
        told = true;
        setFailed(false);
        setCards(received(changed, steadyClock()));
      },
      signal,
    );
    door.on(
      "denials.changed",
      (changed) => setDenials(receivedDenials(changed, steadyClock())),
      signal,
    );
    door.on("turned_away.changed", setTurnedAway, signal);
    door.on("settings.changed", setLook, signal);
    door
      .call("consent.list", {})
      .then(({ consents, denials: held, turned_away, settings }) => {
        setLook(settings);
        setTurnedAway(turned_away);
        if (told) return;
        setCards(received(consents, steadyClock()));
        setDenials(receivedDenials(held, steadyClock()));
      })
      .catch(() => {
        if (!told) setFailed(true);
      });
    return () => listening.abort();
  }, [door]);
  return { cards, denials, turnedAway, look, failed };
}

function ConsentWindow({ door }: { readonly door: ConsentBridge }) {
  const { cards, denials, turnedAway, look, failed } = useWaiting(door);
  useTheme(look.theme);
  return (
    <LanguageProvider language={look.language}>
      <Cards door={door} cards={cards} turnedAway={turnedAway} failed={failed} />
      <KeySheet keys={CARD_KEY_NAMES} />
      <DeniedNote
        denials={denials}
        onUndo={(request_id) => void door.call("consent.undo", { request_id }).catch(() => {})}
      />
    </LanguageProvider>
  );
}

interface CardsProps {
  readonly door: ConsentBridge;
  readonly cards: readonly ReceivedCard[];
  readonly turnedAway: TurnedAwayView;
  readonly failed: boolean;
}

function Cards({ door, cards, turnedAway, failed }: CardsProps) {
  const { t } = useTexts();
  const { isThere, ...list } = useCardList(cards);
  const [actions] = useState(() =>
    consentActions(door, { kind: "picks", pick: (startAt) => pickedFolder(door, startAt) }),
  );
  useEffect(() => {
    document.title = `${t("consent.layer")} · ${t("app.name")}`;
  }, [t]);
  if (!isThere) {
    return (
      <p className="outer muted" role="status">
        {failed ? t("consent.unreadable") : t("consent.empty")}
      </p>
    );
  }
  return (
    <main className="consent-window">
      <ConsentList
        {...list}
        turnedAway={turnedAway}
        onTurnedAwaySeen={() => void door.call("turned_away.seen", {}).catch(() => {})}
        connected
        actions={actions}
        buttons={
          <PresenceButtons
            onLater={() => void door.call("consent.put_off", {}).catch(() => {})}
            onAside={null}
          />
        }
      />
    </main>
  );
}

const place = document.getElementById("root");
const door = consentBridge(window);
if (place === null || door === undefined) throw new TypeError("this page has no door to the host");
createRoot(place).render(<ConsentWindow door={door} />);
