import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import { useShown, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

export const PAGES = [
  "home",
  "conversations",
  "agents",
  "permissions",
  "activity",
  "settings",
] as const;
export type PageName = (typeof PAGES)[number];

/** Larger numbers are shown as "more than" this. */
const MOST_COUNTED = 99;

interface NavigationProps {
  readonly page: PageName;
  readonly onChoose: (page: PageName) => void;
}

export function Navigation({ page, onChoose }: NavigationProps) {
  const { t } = useTexts();
  return (
    <nav className="navigation" aria-label={t("nav.title")}>
      <p className="brand">{t("app.name")}</p>
      <ul>
        {PAGES.map((name) => (
          <li key={name}>
            <button
              type="button"
              data-testid={`nav-${name}`}
              aria-current={name === page ? "page" : undefined}
              onClick={() => onChoose(name)}
            >
              <Icon name={name} />
              <span className="nav-name">{t(`nav.${name}`)}</span>
              {name === "home" ? <WaitingCount /> : null}
              {name === "conversations" ? <UnreadCount /> : null}
              {name === "agents" ? <ChangedCount /> : null}
            </button>
          </li>
        ))}
      </ul>
      <HubState />
    </nav>
  );
}

interface CountProps {
  readonly count: number;
  /** What is counted, for screen readers. */
  readonly words: string;
  readonly testId: string;
}

function Count({ count, words, testId }: CountProps) {
  if (count === 0) return null;
  return (
    <span className="count" data-testid={testId}>
      <span aria-hidden="true">{count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}</span>
      <span className="unseen">{words}</span>
    </span>
  );
}

function WaitingCount() {
  const { t } = useTexts();
  const count = useShown((shown) => shown.snapshot?.pairings.length ?? 0);
  return <Count count={count} words={t("nav.waiting", { count })} testId="nav-waiting" />;
}

function UnreadCount() {
  const { t } = useTexts();
  const count = useShown((shown) =>
    (shown.conversations ?? []).reduce((sum, { unread }) => sum + unread, 0),
  );
  return <Count count={count} words={t("conversations.unread", { count })} testId="nav-unread" />;
}

/** Number of agents whose changed permissions wait for the person's decision (contract §7). */
function ChangedCount() {
  const { t } = useTexts();
  const count = useShown((shown) => changedAgents(shown.snapshot?.agents ?? []));
  return <Count count={count} words={t("home.reconsent", { count })} testId="nav-reconsent" />;
}

function HubState() {
  const { t } = useTexts();
  const { connected: hub_connected } = useSnapshot().hub;
  const connection = useShown((shown) => shown.connection);
  const isConnected = hub_connected && connection === "connected";
  return (
    <p className="hub-state" data-connected={isConnected}>
      <span className="dot" aria-hidden="true" />
      {isConnected ? t("nav.hub_connected") : t("nav.hub_disconnected")}
    </p>
  );
}

/** How many agents have changes that the person must answer before all their permissions apply. */
export const changedAgents = (agents: readonly AgentDetails[]): number =>
  agents.filter(({ grants }) => grants.some(({ state }) => state === "awaiting_reconsent")).length;
