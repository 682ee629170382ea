import { useEffect, useState } from "react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import type { AgentDifferences } from "../../app/bridge/agent-views.ts";
import type { AgentCard } from "../../app/bridge/views.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useAct, useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { DifferenceList } from "./difference-list.tsx";

/** An agent that describes itself anew: what is different, and that the person has seen it. */
export function ChangedNote({ agent }: { readonly agent: AgentCard }) {
  const { t } = useTexts();
  const { agent_id, manifest_version } = agent;
  const act = useAct();
  const found = useDifferences(agent);
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
      {found === null ? null : (
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

function useDifferences({ agent_id, manifest_version }: AgentCard): AgentDifferences | null {
  const { bridge, setFailure } = useHost();
  const [found, setFound] = useState<AgentDifferences | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another manifest has other differences
  useEffect(() => {
    let wanted = true;
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
  }, [bridge, setFailure, agent_id, manifest_version]);
  return found;
}
