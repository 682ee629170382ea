import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Activity } from "./activity/activity.tsx";
import { Agents } from "./agents/agents.tsx";
import { PairingBar, PairingLayer, usePairingLayer } from "./agents/pairing-layer.tsx";
import { KeySheet } from "./consent/key-sheet.tsx";
import { RequestsElsewhere, RequestsInPage } from "./consent/requests-in-page.tsx";
import { Conversations } from "./conversations/conversations.tsx";
import { addressOf } from "./conversations/open-address.ts";
import { Home } from "./home/home.tsx";
import { useHost, useShown } from "./host-context.tsx";
import { useTexts } from "./language.tsx";
import { BrokenPolicy, DataRemoved, Loading, LostKey, PageFailed } from "./outer-states.tsx";
import { pageAddress, pageOf, useFragment } from "./page/page-address.ts";
import { DisconnectedBanner, PausedBanner, ProfileBanner } from "./parts/banners.tsx";
import { DrawGuard } from "./parts/empty.tsx";
import { Navigation, type PageName } from "./parts/navigation.tsx";
import { FailureRead, NoticesBar } from "./parts/notices-bar.tsx";
import { PAGE_KEY_NAMES } from "./parts/page-keys.ts";
import { useKeptFocus } from "./parts/use-kept-focus.ts";
import { Permissions } from "./permissions/permissions.tsx";
import { SettingsPage } from "./settings/settings.tsx";

/** The main window: the host's latest state, and the clicks reported to it. */
export function App() {
  const connection = useShown((shown) => shown.connection);
  const ready = useShown((shown) => shown.snapshot !== null);
  const host = useShown((shown) => shown.snapshot?.host);
  const policy = useShown((shown) => shown.snapshot?.policy ?? null);
  const Requests = host === "desktop" ? RequestsElsewhere : RequestsInPage;
  if (connection === "refused") return <LostKey />;
  if (connection === "removed") return <DataRemoved />;
  if (policy?.state === "broken") return <BrokenPolicy fault={policy.fault} />;
  return (
    <>
      <FailureRead />
      {ready ? (
        <Requests>{(bar, isCovered) => <MainWindow bar={bar} isCovered={isCovered} />}</Requests>
      ) : (
        <Loading />
      )}
      <DisconnectedBanner />
      <KeySheet keys={PAGE_KEY_NAMES} />
    </>
  );
}

interface MainWindowProps {
  /** Says that requests wait which are not to be seen here. */
  readonly bar: ReactNode;
  /** Requests are over the page. */
  readonly isCovered: boolean;
}

function MainWindow({ bar, isCovered }: MainWindowProps) {
  const { t } = useTexts();
  const pairings = usePairingLayer();
  const [page, choose] = usePage();
  // Visible in the browser's tab while another tab is in front.
  const waits = useShown(
    ({ consents, snapshot }) => consents.length + (snapshot?.pairings.length ?? 0),
  );
  useShownConversation();
  useEffect(() => {
    const count = waits === 0 ? "" : `(${waits}) `;
    document.title = `${count}${t(`nav.${page}`)} · ${t("app.name")}`;
  }, [t, page, waits]);
  const pages: Readonly<Record<PageName, ReactNode>> = {
    home: <Home onChoose={choose} />,
    conversations: <Conversations />,
    agents: <Agents />,
    permissions: <Permissions />,
    activity: <Activity />,
    settings: <SettingsPage />,
  };
  return (
    <div className="window">
      {/* biome-ignore lint/a11y/useValidAnchor: it is a link within the page; only the address must stay */}
      <a className="skip" href="#content" onClick={skipToContent}>
        {t("app.skip_to_content")}
      </a>
      <Navigation page={page} onChoose={choose} />
      <Content>
        <PausedBanner />
        <ProfileBanner />
        <NoticesBar />
        {bar}
        <PairingBar {...pairings} />
        <div key={page} ref={scrollToTop} className={pageClass(page)}>
          <DrawGuard instead={<PageFailed />}>{pages[page]}</DrawGuard>
        </div>
      </Content>
      <PairingLayer {...pairings} isOpen={pairings.isOpen && !isCovered} />
    </div>
  );
}

/** Some pages fill the window and scroll inside; the others have their natural height. */
function pageClass(page: PageName): string {
  if (page === "conversations") return "page page-whole";
  return page === "activity" ? "page page-full" : "page";
}

/** The page, named in the address: a reload keeps it, and pages link to each other. */
function usePage(): readonly [PageName, (next: PageName) => void] {
  const { setFailure } = useHost();
  const named = pageOf(useFragment());
  const [last, setLast] = useState<PageName>("home");
  if (named !== null && named !== last) setLast(named);
  const choose = (next: PageName): void => {
    setFailure(null);
    window.location.hash = pageAddress(next);
  };
  return [named ?? last, choose];
}

/** All pages scroll in one element. Runs before the effects of a page, which may scroll further. */
const scrollToTop = (page: HTMLElement | null): void => page?.parentElement?.scrollTo({ top: 0 });

/** Moves only the focus: the address must keep the page's name. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

function useShownConversation(): void {
  const { store } = useHost();
  const conversation = useShown((shown) => shown.conversation);
  useEffect(() => {
    if (conversation === null) return;
    store.setState({ conversation: null });
    window.location.hash = addressOf(conversation.conversation_id);
  }, [conversation, store]);
}

/** Beside the navigation: what every page shows at its top, and the page. */
export function Content({ children }: { readonly children: ReactNode }) {
  const content = useRef<HTMLElement>(null);
  // With either of them, banners and whole cards come and go.
  useShown((shown) => shown.snapshot);
  useHost();
  useKeptFocus(content, false);
  return (
    <main ref={content} id="content" tabIndex={-1}>
      {children}
    </main>
  );
}
