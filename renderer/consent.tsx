import "./styles/index.ts";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import type { ConsentBridge } from "../app/bridge/client-bridge.ts";
import type { TurnedAwayView } from "../app/bridge/consent-views.ts";
import type { Settings } from "../app/contract/settings.ts";
import { consentBridge } from "./bridge/open-bridge.ts";
import { consentActions } from "./consent/consent-layer.tsx";
import { ConsentList } from "./consent/consent-list.tsx";
import { DeniedNote } from "./consent/denied-note.tsx";
import { KeySheet } from "./consent/key-sheet.tsx";
import { useCardList } from "./consent/open-request.ts";
import { PresenceButtons } from "./consent/presence.tsx";
import { LanguageProvider, useTexts } from "./language.tsx";
import { CARD_KEY_NAMES } from "./parts/page-keys.ts";
import { pickedFolder } from "./parts/path-field.tsx";
import { steadyClock } from "./parts/use-now.ts";
import {
  type ReceivedCard,
  type ReceivedDenial,
  received,
  receivedDenials,
} from "./state/store.ts";
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
function useWaiting(port: ConsentBridge): Waiting {
  const [cards, setCards] = useState<readonly ReceivedCard[]>([]);
  const [denials, setDenials] = useState<readonly ReceivedDenial[]>([]);
  const [turnedAway, setTurnedAway] = useState<TurnedAwayView>({ agents: [], others: 0 });
  const [look, setLook] = useState<Look>({ language: null, theme: "system" });
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    let told = false;
    port.on(
      "consents.changed",
      (changed) => {
        told = true;
        setFailed(false);
        setCards(received(changed, steadyClock()));
      },
      signal,
    );
    port.on(
      "denials.changed",
      (changed) => setDenials(receivedDenials(changed, steadyClock())),
      signal,
    );
    port.on("turned_away.changed", setTurnedAway, signal);
    port.on("settings.changed", setLook, signal);
    port
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
  }, [port]);
  return { cards, denials, turnedAway, look, failed };
}

function ConsentWindow({ port }: { readonly port: ConsentBridge }) {
  const { cards, denials, turnedAway, look, failed } = useWaiting(port);
  useTheme(look.theme);
  return (
    <LanguageProvider language={look.language}>
      <Cards port={port} cards={cards} turnedAway={turnedAway} failed={failed} />
      <KeySheet keys={CARD_KEY_NAMES} />
      <DeniedNote
        denials={denials}
        onUndo={(request_id) => void port.call("consent.undo", { request_id }).catch(() => {})}
      />
    </LanguageProvider>
  );
}

interface CardsProps {
  readonly port: ConsentBridge;
  readonly cards: readonly ReceivedCard[];
  readonly turnedAway: TurnedAwayView;
  readonly failed: boolean;
}

function Cards({ port, cards, turnedAway, failed }: CardsProps) {
  const { t } = useTexts();
  const { isThere, ...list } = useCardList(cards);
  const [actions] = useState(() =>
    consentActions(port, { kind: "picks", pick: (startAt) => pickedFolder(port, startAt) }),
  );
  useEffect(() => {
    document.title = `${t("consent.layer")} · ${t("app.name")}`;
  }, [t]);
  const putOff = (): void => void port.call("consent.put_off", {}).catch(() => {});
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
        onTurnedAwaySeen={() => void port.call("turned_away.seen", {}).catch(() => {})}
        connected
        actions={actions}
        onLater={putOff}
        buttons={<PresenceButtons onLater={putOff} onAside={null} />}
      />
    </main>
  );
}

const place = document.getElementById("root");
const port = consentBridge(window);
if (place === null || port === undefined) throw new TypeError("this page has no port to the host");
createRoot(place).render(<ConsentWindow port={port} />);
