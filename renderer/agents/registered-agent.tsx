import { useId, useState } from "react";
import { Button } from "react-aria-components";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { RegisteredAgentView } from "../../app/bridge/views.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ManifestRemarks } from "../manifest/manifest-remarks.tsx";
import { Fact } from "../parts/fact.tsx";
import { Lookalikes } from "../parts/lookalikes.tsx";
import { NameMarkNote } from "../parts/name-mark-note.tsx";
import { NewAgentScopes, useScopeChoice } from "../parts/scope-picker.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface RegisteredAgentProps {
  readonly found: RegisteredAgentView;
  readonly onAdded: () => void;
  readonly onFailed: (code: BridgeErrorCode) => void;
}

/** Who was found, and what it may ask for if the person adds it. */
export function RegisteredAgent({ found, onAdded, onFailed }: RegisteredAgentProps) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const id = useId();
  // Each time it is found is another question.
  const [question] = useState(() => crypto.randomUUID());
  const choice = useScopeChoice(question, found.scopes);
  const [sent, setSent] = useState(false);
  const { agent_id, manifest_version, manifest_digest } = found;
  const add = async (): Promise<void> => {
    setSent(true);
    try {
      const granted_scopes = [...choice.chosen];
      const shown = { agent_id, manifest_version, manifest_digest };
      await bridge.call("agents.add", { ...shown, granted_scopes });
      onAdded();
    } catch (error) {
      setSent(false);
      onFailed(errorCode(error));
    }
  };
  return (
    <section className="found-agent" aria-labelledby={id} data-testid="found-agent">
      <h3 id={id} className="identity-name">
        <VisibleText text={found.name} />
      </h3>
      <NameMarkNote mark={found.name_mark} />
      <Lookalikes lookalikes={found.lookalikes} />
      <p className="muted">{t("agents.found_unproven")}</p>
      <dl className="facts">
        <Fact name={t("agents.found_id")} text={agent_id} />
        <Fact
          name={t("agents.found_manifest")}
          text={t("agents.found_manifest_is", {
            agent_version: found.agent_version,
            number: manifest_version,
          })}
          detail={manifest_digest}
        />
      </dl>
      <ManifestRemarks warnings={found.warnings} />
      <NewAgentScopes scopes={found.scopes} choice={choice} testPrefix="found-scope" limited />
      <div className="button-row">
        <Button
          className="primary"
          data-testid="found-add"
          isPending={sent}
          onPress={() => void add()}
        >
          {t("agents.add")}
        </Button>
      </div>
    </section>
  );
}
