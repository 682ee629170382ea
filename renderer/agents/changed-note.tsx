import { Button } from "react-aria-components";
import type { AgentCard } from "../../app/bridge/views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Fold } from "../parts/fold.tsx";
import { ReadFailure } from "../parts/read-failure.tsx";
import { useRead } from "../parts/use-asked.ts";
import { DifferenceList } from "./difference-list.tsx";

/** For an agent with a new manifest: what changed, and a button to confirm that it was reviewed. */
export function ChangedNote({ agent }: { readonly agent: AgentCard }) {
  const { t } = useTexts();
  const { agent_id, manifest_version } = agent;
  const act = useAct();
  // Another manifest has other differences.
  const { state, again } = useRead(`${agent_id} ${manifest_version}`, (bridge) =>
    bridge.call("agents.differences", { agent_id }),
  );
  return (
    <div className="changed" data-testid="agent-changed">
      <div className="grow">
        <strong>{t("agents.changed")}</strong>
        <p>{t("agents.changed_body", { version: manifest_version })}</p>
      </div>
      <Button
        data-testid="agent-mark-reviewed"
        onPress={() => void act("agents.mark_reviewed", { agent_id, manifest_version })}
      >
        {t("agents.mark_reviewed")}
      </Button>
      {state.kind === "failed" ? <ReadFailure code={state.code} onRetry={again} /> : null}
      {state.kind !== "found" ? (
        <p className="muted changed-details" role="status">
          {state.kind === "failed" ? null : t("agents.differences_loading")}
        </p>
      ) : (
        <Fold
          title={t("agents.differences", { count: state.found.in_all })}
          level={3}
          className="changed-details"
          testId="agent-differences"
        >
          <DifferenceList found={state.found} />
        </Fold>
      )}
    </div>
  );
}
