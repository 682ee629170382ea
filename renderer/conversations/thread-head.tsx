import type { Ref } from "react";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useAct, useAgent } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { AgentState, NameMarkNote, NeededKey } from "../parts/agent-identity.tsx";
import { ConfirmButton } from "../parts/dialogs.tsx";
import { Icon, IconButton } from "../parts/icon.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { useAgentLabels } from "../text/agent-labels.ts";
import { nameList } from "../text/format.ts";
import { ConversationSign } from "./conversation-list.tsx";
import { GroupMenu } from "./groups/group-menu.tsx";
import { memberName, useTitle } from "./names.ts";

interface ThreadHeadProps {
  readonly view: ConversationView;
  readonly onBack: () => void;
  readonly heading: Ref<HTMLHeadingElement>;
}

export function ThreadHead({ view, onBack, heading }: ThreadHeadProps) {
  const { t } = useTexts();
  const title = useTitle(view);
  return (
    <header className="thread-head">
      <IconButton
        icon="back"
        className="quiet thread-back"
        data-testid="thread-back"
        aria-label={t("conversations.back")}
        onPress={onBack}
      />
      <ConversationSign view={view} />
      <div className="thread-name">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <p className="muted">
          <HeadFacts view={view} />
          <NameMarkNote mark={view.title_mark} />
        </p>
      </div>
      {view.kind === "group" && view.relation === "active" ? <GroupMenu view={view} /> : null}
      <DeleteHistory view={view} />
    </header>
  );
}

function HeadFacts({ view }: { readonly view: ConversationView }) {
  const { t, language } = useTexts();
  const agent = useAgent(view.agent_ids[0]);
  const labels = useAgentLabels();
  switch (view.kind) {
    case "system":
      return t("manifest.form_title");
    case "group":
      return (
        <span className="head-line">
          {nameList(
            language,
            view.members.map((member) =>
              member.is_me ? t("conversations.you") : memberName(t, labels, member),
            ),
          )}
        </span>
      );
    case "direct":
      return (
        <>
          <AgentState {...view} />
          {agent === undefined || agent.petname === null ? null : (
            <span data-testid="thread-original-name">
              {t("agents.calls_itself")} <VisibleText text={agent.name} />
            </span>
          )}
          {agent === undefined ? null : <NeededKey of={agent} />}
        </>
      );
  }
}

function DeleteHistory({ view }: { readonly view: ConversationView }) {
  const { t } = useTexts();
  const act = useAct();
  const title = useTitle(view);
  const { conversation_id } = view;
  return (
    <ConfirmButton
      className="quiet"
      aria-label={t("conversations.delete_history")}
      testId="delete-history"
      title={t("conversations.delete_ask", { title })}
      body={t("conversations.delete_body")}
      confirm={t("conversations.delete_confirm")}
      onConfirm={() => void act("conversations.delete_history", { conversation_id })}
    >
      <Icon name="trash" />
    </ConfirmButton>
  );
}
