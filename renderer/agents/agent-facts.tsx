import type { AgentCard } from "../../app/bridge/views.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { useConversationName } from "../conversations/use-conversation-names.ts";
import { useTexts } from "../language.tsx";
import { Fact } from "../parts/fact.tsx";
import { byteSize } from "../text/format-size.ts";

/** An agent's status at the hub, how it is reached, and what it is, in words. */
export function AgentFacts({ agent }: { readonly agent: AgentCard }) {
  const { t, language } = useTexts();
  const conversation = useConversationName(agent.conversation_id ?? "");
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{t("agents.relation")}</dt>
          <dd>
            {t(`agents.relation_is.${agent.relation}`)}
            {/* Of a suspended one, and of one that is not allowed, the note above says it. */}
            {agent.relation === "suspended" || agent.not_allowed ? null : (
              <span className="muted"> {t(`agents.relation_means.${agent.relation}`)}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>{t("agents.delivery")}</dt>
          <dd data-testid="agent-delivery">
            {t(`agents.delivery_is.${agent.delivery}`)}
            <span className="muted"> {t(`agents.delivery_means.${agent.delivery}`)}</span>
          </dd>
        </div>
        <Fact name={t("agents.version")} text={agent.agent_version} />
        {agent.conversation_id === null ? null : (
          <Fact
            name={t("agents.conversation")}
            text={conversation}
            detail={agent.conversation_id}
          />
        )}
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
