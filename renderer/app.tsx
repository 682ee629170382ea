import { type ReactNode, useEffect, useState } from "react";
import { ConsentLayer } from "./consent/consent-layer.tsx";
import { useHost, useShown } from "./host-context.tsx";
import { useTexts } from "./language.tsx";
import { DisconnectedBanner } from "./parts/disconnected-banner.tsx";
import { Navigation, type PageName } from "./parts/navigation.tsx";
import { NoticesBar } from "./parts/notices-bar.tsx";
import { Activity } from "./screens/activity.tsx";
import { Agents } from "./screens/agents.tsx";
import { Home } from "./screens/home.tsx";
import { Loading, LostKey } from "./screens/outer-states.tsx";
import { Permissions } from "./screens/permissions.tsx";
import { SettingsPage } from "./screens/settings.tsx";

/** The main window: what the host last said, and the clicks it is told about. */
export function App() {
  const refused = useShown((shown) => shown.connection === "refused");
  const ready = useShown((shown) => shown.snapshot !== null);
  const host = useShown((shown) => shown.snapshot?.host);
  const covered = useShown((shown) => shown.consents.length > 0) && host === "browser";
  if (refused) return <LostKey />;
  return (
    <>
      {ready ? <MainWindow covered={covered} /> : <Loading />}
      <DisconnectedBanner />
      {host === "browser" ? <ConsentLayer /> : null}
    </>
  );
}

function MainWindow({ covered }: { readonly covered: boolean }) {
  const { t } = useTexts();
  const [page, setPage] = useState<PageName>("home");
  const { setFailure } = useHost();
  const choose = (next: PageName): void => {
    setFailure(null);
    setPage(next);
  };
  useEffect(() => {
    document.title = `${t(`nav.${page}`)} · ${t("app.name")}`;
  }, [t, page]);
  const pages: Readonly<Record<PageName, ReactNode>> = {
    home: <Home onChoose={choose} />,
    agents: <Agents />,
    permissions: <Permissions />,
    activity: <Activity />,
    settings: <SettingsPage />,
  };
  return (
    <div className="window" inert={covered}>
      <a className="skip" href="#content">
        {t("app.skip_to_content")}
      </a>
      <Navigation page={page} onChoose={choose} />
      <main id="content" tabIndex={-1}>
        <NoticesBar />
        <div className={page === "activity" ? "page page-wide" : "page"}>{pages[page]}</div>
      </main>
    </div>
  );
}
