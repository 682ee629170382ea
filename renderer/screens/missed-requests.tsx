import { useId } from "react";
import { Button } from "react-aria-components";
import type { MissedRequest } from "../../app/bridge/agent-views.ts";
import { toolLabel } from "../../i18n/index.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { useAgentLabel } from "../parts/use-agent-labels.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { shortTime } from "../text/format-time.ts";

/** What was asked and ended unanswered since the person last said that they had seen it. */
export function MissedRequests() {
  const { t } = useTexts();
  const act = useAct();
  const id = useId();
  const { missed } = useSnapshot();
  if (missed.requests.length === 0) return null;
  return (
    <section className="card missed" aria-labelledby={id} data-testid="missed-requests">
      <div className="section-head">
        <h2 id={id}>{t("missed.title")}</h2>
        <Button data-testid="missed-dismiss" onPress={() => void act("missed.dismiss", {})}>
          {t("missed.dismiss")}
        </Button>
      </div>
      <p className="muted">{t("missed.body")}</p>
      <ul className="rows">
        {missed.requests.map((request, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two requests may be alike in everything
          <MissedRow request={request} key={`${request.ended_at} ${at}`} />
        ))}
      </ul>
      {missed.more === 0 ? null : (
        <p className="muted">{t("missed.more", { count: missed.more })}</p>
      )}
    </section>
  );
}

function MissedRow({ request }: { readonly request: MissedRequest }) {
  const { t, language } = useTexts();
  const { agents } = useSnapshot();
  const { agent_id, agent_name, tool_name, asked_at, why } = request;
  const label = useAgentLabel(agent_id, agent_name);
  const petname = agents.find((agent) => agent.agent_id === agent_id)?.petname ?? null;
  return (
    <li className="row row-line" data-testid="missed-row" data-tool={tool_name} data-why={why}>
      <span className="grow">
        <VisibleText text={toolLabel(language, tool_name)} />
        <span className="muted">
          <VisibleText text={label} />
          {petname === null ? null : (
            <>
              {" "}
              ({t("agents.calls_itself")} <VisibleText text={agent_name} />)
            </>
          )}
          {" · "}
          {t(`missed.why.${why}`)}
        </span>
      </span>
      <time className="muted nowrap" dateTime={new Date(asked_at).toISOString()}>
        {shortTime(language, asked_at, Date.now())}
      </time>
    </li>
  );
}
