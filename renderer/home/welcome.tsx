import { useState } from "react";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ModelPanel } from "../model/model-panel.tsx";
import { CopyLine } from "../parts/fact.tsx";
import { CallFold } from "../parts/fold.tsx";
import { FoundApps } from "./found-apps.tsx";

/** The first run: what this is, how to try it within a minute, and how a real agent connects. */
export function Welcome() {
  const { t } = useTexts();
  return (
    <div className="welcome">
      <h1>{t("home.welcome_title")}</h1>
      <ol className="welcome-lines">
        <li>{t("home.welcome_1")}</li>
        <li>{t("home.welcome_2")}</li>
        <li>{t("home.welcome_3")}</li>
      </ol>
      <FoundApps after={(isThere) => <SampleAgentButton primary={!isThere} isAlone />} />
      <ModelPanel />
      <section className="connect">
        <h2>{t("home.connect_title")}</h2>
        <ConnectLines />
      </section>
    </div>
  );
}

function ConnectLines() {
  const { t } = useTexts();
  const { url: hub_url } = useSnapshot().hub;
  return (
    <>
      <p>{t("home.connect_body")}</p>
      <CopyLine text={hub_url} />
      <p>{t("home.connect_command")}</p>
      <CopyLine text={`npm run sample-agent -- --hub ${hub_url}`} />
    </>
  );
}

/** The same for the next agent, folded away where there are some already. */
export function ConnectAnother() {
  const { t } = useTexts();
  return (
    <CallFold title={t("home.connect_title")} testId="home-connect">
      <div className="connect-lines">
        <ConnectLines />
      </div>
    </CallFold>
  );
}

interface SampleAgentButtonProps {
  readonly primary: boolean;
  /** Nothing else is there yet. */
  readonly isAlone?: boolean;
}

export function SampleAgentButton({ primary, isAlone = primary }: SampleAgentButtonProps) {
  const { t } = useTexts();
  const act = useAct();
  const { sample_agent, pairings } = useSnapshot();
  const [asked, setAsked] = useState(false);
  const start = async (): Promise<void> => {
    setAsked(true);
    await act("sample_agent.start", {});
    setAsked(false);
  };
  const { state } = sample_agent;
  if (state === "running") {
    return isAlone && pairings.length === 0 ? (
      <p className="muted" role="status">
        {t("home.sample_running")}
      </p>
    ) : null;
  }
  return (
    <button
      type="button"
      className={primary ? "primary large" : isAlone ? "large" : "quiet"}
      data-testid="start-sample-agent"
      disabled={asked}
      onClick={() => void start()}
    >
      {t("home.try_sample")}
    </button>
  );
}
