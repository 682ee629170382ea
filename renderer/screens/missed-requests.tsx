import { useId } from "react";
import { Button } from "react-aria-components";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { MissedRow } from "./missed-row.tsx";

/** Requests that ended unanswered since the person last dismissed this list. */
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
        {missed.requests.map((request) => (
          <MissedRow
            request={request}
            key={`${request.agent_id} ${request.call_id} ${request.ended_at}`}
          />
        ))}
      </ul>
      {missed.more === 0 ? null : (
        <p className="muted">{t("missed.more", { count: missed.more })}</p>
      )}
    </section>
  );
}
