import { type KeyboardEvent, useState } from "react";
import { Label, TextArea, TextField } from "react-aria-components";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import { SENT_TEXT_MAX } from "../../app/bridge/conversation-views.ts";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ManifestUpdate } from "../manifest/manifest-update.tsx";
import { AgentIdentity } from "../parts/agent-identity.tsx";
import { Choice } from "../parts/choice.tsx";
import { IconButton } from "../parts/icon.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { labelOf, useAgentLabels } from "../text/agent-labels.ts";
import { systemRequest } from "./system-request.ts";

interface Exchange {
  readonly id: string;
  readonly asked: string;
  readonly answer: string;
}

interface SystemChat {
  /** What was typed and answered since the conversation was opened; nobody else sees it. */
  readonly exchanges: readonly Exchange[];
  /** The agent that gets a new manifest. */
  readonly chosen: string | null;
  readonly choose: (agent_id: string) => void;
  readonly ask: (text: string) => void;
}

/** The program's own conversation, where the person gives one of their agents a new manifest. */
export function useSystemChat(): SystemChat {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  const labels = useAgentLabels();
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const [chosen, choose] = useState<string | null>(null);
  const answerTo = (text: string): string => {
    const asked = systemRequest(text, agents);
    if (asked.kind === "unknown") return t("system.help");
    if (agents.length === 0) return t("manifest.no_agents");
    const agent = agents.find(({ agent_id }) => agent_id === asked.agent_id);
    if (agent === undefined) return t("system.choose");
    choose(agent.agent_id);
    return t("system.opened", { agent: labelOf(labels, agent.agent_id, agent.name) });
  };
  const ask = (asked: string): void => {
    const exchange = { id: crypto.randomUUID(), asked, answer: answerTo(asked) };
    setExchanges((before) => [...before, exchange]);
  };
  return { exchanges, chosen, choose, ask };
}

export function SystemForm({ chat }: { readonly chat: SystemChat }) {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  const agent = agents.find(({ agent_id }) => agent_id === chat.chosen);
  return (
    <>
      <div role="log" aria-label={t("conversations.system")}>
        {chat.exchanges.map(({ id, asked, answer }) => (
          <div className="system-exchange" key={id}>
            <div className="message mine">
              <VisibleText within="p" className="bubble" dir="auto" text={asked} />
            </div>
            <div className="message">
              <p className="bubble" data-testid="system-answer">
                {answer}
              </p>
            </div>
          </div>
        ))}
      </div>
      <article
        className="system-form card"
        data-testid="system-form"
        aria-label={t("manifest.form_title")}
      >
        <h3>{t("manifest.form_title")}</h3>
        <p>{t("manifest.form_body")}</p>
        {agents.length === 0 ? (
          <p className="muted">{t("manifest.no_agents")}</p>
        ) : (
          <AgentChoice agents={agents} chosen={chat.chosen} onChoose={chat.choose} />
        )}
        {agent === undefined ? null : <ManifestUpdate key={agent.agent_id} agent={agent} />}
      </article>
    </>
  );
}

interface AgentChoiceProps {
  readonly agents: readonly AgentDetails[];
  readonly chosen: string | null;
  readonly onChoose: (agent_id: string) => void;
}

function AgentChoice({ agents, chosen, onChoose }: AgentChoiceProps) {
  const { t } = useTexts();
  const labels = useAgentLabels();
  return (
    <Choice
      className="filter agent-choice"
      label={t("activity.agent")}
      placeholder={t("manifest.choose_agent")}
      chosen={chosen}
      options={agents.map((agent) => ({
        word: agent.agent_id,
        label: labelOf(labels, agent.agent_id, agent.name),
        drawn: <AgentIdentity of={agent} />,
      }))}
      onChoose={onChoose}
      testId="manifest-agent"
    />
  );
}

/** What is typed here stays on this page. */
export function SystemComposer({ onAsk }: { readonly onAsk: (text: string) => void }) {
  const { t } = useTexts();
  const [draft, setDraft] = useState("");
  const send = (): void => {
    if (draft.trim() === "") return;
    onAsk(draft);
    setDraft("");
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="composer">
      <TextField value={draft} onChange={setDraft} maxLength={SENT_TEXT_MAX}>
        <Label className="unseen">{t("system.write")}</Label>
        <TextArea
          data-testid="composer"
          rows={1}
          dir="auto"
          placeholder={t("system.write")}
          onKeyDown={onKey}
        />
      </TextField>
      <IconButton
        icon="send"
        className="primary"
        data-testid="composer-send"
        aria-label={t("conversations.send")}
        isDisabled={draft.trim() === ""}
        onPress={send}
      />
    </div>
  );
}
