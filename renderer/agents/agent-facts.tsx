import type { AgentCard } from "../../app/bridge/views.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { byteSize } from "../text/format-size.ts";

/** How an agent stands with the hub, how it is reached, and what it is, in words. */
export function AgentFacts({ agent }: { readonly agent: AgentCard }) {
  const { t, language } = useTexts();
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{t("agents.relation")}</dt>
          <dd>
            {t(`agents.relation_is.${agent.relation}`)}
            <span className="muted"> {t(`agents.relation_means.${agent.relation}`)}</span>
          </dd>
        </div>
        <div>
          <dt>{t("agents.delivery")}</dt>
          <dd data-testid="agent-delivery">
            {t(`agents.delivery_is.${agent.delivery}`)}
            <span className="muted"> {t(`agents.delivery_means.${agent.delivery}`)}</span>
          </dd>
        </div>
        <div>
          <dt>{t("agents.version")}</dt>
          <dd>
            <VisibleText text={agent.agent_version} />
          </dd>
        </div>
        <div>
          <dt>{t("agents.conversation")}</dt>
          <dd className="mono">
            <VisibleText text={agent.conversation_id} />
          </dd>
        </div>
      </dl>
      {agent.manifest_bytes < LIMITS.manifestWarnBytes ? null : (
        <p className="caution">
          {t("agents.manifest_large", {
            size: byteSize(language, agent.manifest_bytes),
            usual: byteSize(language, LIMITS.manifestWarnBytes),
          })}
        </p>
      )}
    </>
  );
}
