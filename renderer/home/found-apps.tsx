import type { ReactNode } from "react";
import type { AppPart, AppView } from "../../app/bridge/connected-apps.ts";
import { useAppSetup } from "../agents/app-setup.tsx";
import { useTexts } from "../language.tsx";
import { AgentPicture } from "../parts/agent-identity.tsx";

/** What of an app is still to be set up here. */
const partsToSetUp = ({ tools, hook }: AppView): readonly AppPart[] => [
  ...(tools.state === "not_connected" ? (["tools"] as const) : []),
  ...(hook?.state === "not_connected" ? (["hook"] as const) : []),
];

interface FoundAppsProps {
  /** What follows, once it is known whether there are any. */
  readonly after?: (isThere: boolean) => ReactNode;
}

/** Agents found on this computer that do not ask here yet, each with one button that shows the exact change. */
export function FoundApps({ after = () => null }: FoundAppsProps) {
  const { t } = useTexts();
  const { apps, said, look, dialog } = useAppSetup();
  const open = (apps ?? []).filter(
    (app) => partsToSetUp(app).length > 0 || said(app.app_id) !== null,
  );
  if (open.length === 0) {
    return (
      <>
        {dialog}
        {after(false)}
      </>
    );
  }
  return (
    <>
      <ul className="rows found-apps" data-testid="found-apps">
        {open.map((app, at) => (
          <li className="row row-line" key={app.app_id} data-testid={`found-${app.app_id}`}>
            <AgentPicture mark={{ kind: "none" }} />
            <span className="grow">
              {app.name}
              <span className="muted" role="status">
                {said(app.app_id) ?? t("home.found")}
              </span>
            </span>
            {partsToSetUp(app).length === 0 ? null : (
              <button
                type="button"
                className={at === 0 ? "primary" : ""}
                data-testid={`protect-${app.app_id}`}
                aria-label={t("home.protect_named", { app: app.name })}
                onClick={() => look(app, partsToSetUp(app), true)}
              >
                {t("home.protect")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {dialog}
      {after(true)}
    </>
  );
}
