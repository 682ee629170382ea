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

/** More are told as more than these. */
const MOST_UNREAD = 99;

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
            </button>
          </li>
        ))}
      </ul>
      <HubState />
    </nav>
  );
}

function WaitingCount() {
  const { t } = useTexts();
  const count = useShown((shown) => shown.snapshot?.pairings.length ?? 0);
  if (count === 0) return null;
  return (
    <span className="count">
      <span aria-hidden="true">{count}</span>
      <span className="unseen">{t("nav.waiting", { count })}</span>
    </span>
  );
}

function UnreadCount() {
  const { t } = useTexts();
  const count = useShown((shown) =>
    (shown.conversations ?? []).reduce((sum, { unread }) => sum + unread, 0),
  );
  if (count === 0) return null;
  return (
    <span className="count" data-testid="nav-unread">
      <span aria-hidden="true">{count > MOST_UNREAD ? `${MOST_UNREAD}+` : count}</span>
      <span className="unseen">{t("conversations.unread", { count })}</span>
    </span>
  );
}

function HubState() {
  const { t } = useTexts();
  const { hub_connected } = useSnapshot();
  return (
    <p className="hub-state" data-connected={hub_connected}>
      <span className="dot" aria-hidden="true" />
      {hub_connected ? t("nav.hub_connected") : t("nav.hub_disconnected")}
    </p>
  );
}
