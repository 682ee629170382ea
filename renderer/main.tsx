import { useEffect } from "react";
import { createRoot } from "react-dom/client";
import type { ConversationShown } from "../app/bridge/events.ts";
import { openBridge } from "./bridge/open-bridge.ts";
import type { ConnectedBridge } from "./bridge/web-bridge.ts";
import { addressedConversation } from "./conversations/open-address.ts";
import { HostProvider, useHost, useShown } from "./host-context.tsx";
import { LanguageProvider } from "./language.tsx";
import { App } from "./main-window.tsx";
import { servePage } from "./page/page-abilities.ts";
import { reportAttention } from "./page/page-attended.ts";
import { steadyClock } from "./parts/use-now.ts";
import { followConversations, followHost } from "./state/follow-host.ts";
import { askBeforeLeaving } from "./state/kept-state.ts";
import { createShownStore } from "./state/store.ts";
import "./styles/index.ts";
import { useTheme } from "./use-theme.ts";

function Root({ bridge }: { readonly bridge: ConnectedBridge }) {
  const { store, setFailure } = useHost();
  const language = useShown((shown) => shown.snapshot?.settings.language ?? null);
  useTheme(useShown((shown) => shown.snapshot?.settings.theme ?? "system"));
  const serving = useShown(
    (shown) => shown.snapshot?.host === "browser" && shown.connection === "connected",
  );
  useEffect(() => {
    const following = new AbortController();
    const { signal } = following;
    followHost({
      bridge,
      store,
      now: steadyClock,
      beforeDrawing: (run) => void requestAnimationFrame(run),
      onFailure: setFailure,
      signal,
    });
    followConversations({ bridge, store, signal });
    return () => following.abort();
  }, [bridge, store, setFailure]);
  useEffect(() => {
    if (!serving) return;
    const page = new AbortController();
    const opened = (conversation: ConversationShown) => store.setState({ conversation });
    servePage({ bridge, opened, signal: page.signal });
    reportAttention(bridge, page.signal);
    return () => page.abort();
  }, [bridge, store, serving]);
  return (
    <LanguageProvider language={language}>
      <App />
    </LanguageProvider>
  );
}

const place = document.getElementById("root");
if (place === null) throw new TypeError("the page has no root");
// Before the bridge removes the key, and with it the whole fragment, from the address.
const conversation = addressedConversation(window.location.hash);
const bridge = openBridge(window);
// Electron would not ask, and its window would never close.
if (window.consentry === undefined) askBeforeLeaving();
const store = createShownStore(bridge.connection());
store.setState({ conversation });
createRoot(place).render(
  <HostProvider bridge={bridge} store={store}>
    <Root bridge={bridge} />
  </HostProvider>,
);
