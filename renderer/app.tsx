import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { KeySheet } from "./consent/key-sheet.tsx";
import { RequestsElsewhere, RequestsInPage } from "./consent/requests-in-page.tsx";
import { useHost, useShown } from "./host-context.tsx";
import { useTexts } from "./language.tsx";
import { pageAddress, pageOf } from "./page-address.ts";
import { Content } from "./parts/content.tsx";
import { DisconnectedBanner } from "./parts/disconnected-banner.tsx";
import { DrawGuard } from "./parts/draw-guard.tsx";
import { Navigation, type PageName } from "./parts/navigation.tsx";
import { FailureRead, NoticesBar } from "./parts/notices-bar.tsx";
import { PAGE_KEY_NAMES } from "./parts/page-keys.ts";
import { PausedBanner } from "./parts/paused-banner.tsx";
import { ProfileBanner } from "./parts/profile-banner.tsx";
import { Activity } from "./screens/activity.tsx";
import { Agents } from "./screens/agents.tsx";
import { BrokenPolicy } from "./screens/broken-policy.tsx";
import { Conversations } from "./screens/conversations.tsx";
import { Home } from "./screens/home.tsx";
import { DataRemoved, Loading, LostKey, PageFailed } from "./screens/outer-states.tsx";
import { Permissions } from "./screens/permissions.tsx";
import { SettingsPage } from "./screens/settings.tsx";
import { useShownConversation } from "./screens/use-shown-conversation.ts";
import { useFragment } from "./use-fragment.ts";

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
      {ready ? <Requests>{(bar) => <MainWindow bar={bar} />}</Requests> : <Loading />}
      <DisconnectedBanner />
      <KeySheet keys={PAGE_KEY_NAMES} />
    </>
  );
}

/** @param bar says that requests wait which are not to be seen here */
function MainWindow({ bar }: { readonly bar: ReactNode }) {
  const { t } = useTexts();
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
        <div key={page} ref={scrollToTop} className={pageClass(page)}>
          <DrawGuard instead={<PageFailed />}>{pages[page]}</DrawGuard>
        </div>
      </Content>
    </div>
  );
}

/** Some pages fill the window and scroll inside; the others have their natural height. */
function pageClass(page: PageName): string {
  if (page === "conversations") return "page page-whole";
  return page === "activity" ? "page page-full" : "page";
}

/**
 * The page is named in the address, so that it survives a reload and pages can link to each other.
 */
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
