import { useEffect, useState } from "react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import type { AgentDifferences } from "../../app/bridge/agent-views.ts";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { AgentCard } from "../../app/bridge/views.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useAct, useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { ReadFailure } from "../parts/read-failure.tsx";
import { DifferenceList } from "./difference-list.tsx";

/** For an agent with a new manifest: what changed, and a button to confirm that it was reviewed. */
export function ChangedNote({ agent }: { readonly agent: AgentCard }) {
  const { t } = useTexts();
  const { agent_id, manifest_version } = agent;
  const act = useAct();
  const { found, failure, again } = useDifferences(agent);
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
      {failure === null ? null : <ReadFailure code={failure} onRetry={again} />}
      {found === null ? (
        <p className="muted changed-details" role="status">
          {failure === null ? t("agents.differences_loading") : null}
        </p>
      ) : (
        <Disclosure className="changed-details">
          <Heading level={3} className="disclosure-head">
            <Button slot="trigger" className="quiet" data-testid="agent-differences">
              <Icon name="unfold" />
              {t("agents.differences", { count: found.in_all })}
            </Button>
          </Heading>
          <DisclosurePanel>
            <DifferenceList found={found} />
          </DisclosurePanel>
        </Disclosure>
      )}
    </div>
  );
}

interface Looked {
  /** Null: they are being read, or reading failed. */
  readonly found: AgentDifferences | null;
  readonly failure: BridgeErrorCode | null;
  readonly again: () => void;
}

function useDifferences({ agent_id, manifest_version }: AgentCard): Looked {
  const { bridge } = useHost();
  const [found, setFound] = useState<AgentDifferences | null>(null);
  const [failure, setFailure] = useState<BridgeErrorCode | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another manifest has other differences
  useEffect(() => {
    let wanted = true;
    setFound(null);
    setFailure(null);
    bridge.call("agents.differences", { agent_id }).then(
      (differences) => {
        if (wanted) setFound(differences);
      },
      (error: unknown) => {
        if (wanted) setFailure(errorCode(error));
      },
    );
    return () => {
      wanted = false;
    };
  }, [bridge, agent_id, manifest_version, attempt]);
  return { found, failure, again: () => setAttempt((count) => count + 1) };
}
