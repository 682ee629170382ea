import type { Ref } from "react";
import { Button } from "react-aria-components";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { AgentState } from "../parts/agent-state.tsx";
import { Icon } from "../parts/icon.tsx";
import { KeyFingerprint } from "../parts/key-fingerprint.tsx";
import { NameMarkNote } from "../parts/name-mark-note.tsx";
import { useAgentLabels } from "../parts/use-agent-labels.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { ConversationSign } from "./conversation-sign.tsx";
import { DeleteHistory } from "./delete-history.tsx";
import { GroupMenu } from "./groups/group-menu.tsx";
import { memberName } from "./names.ts";
import { useTitle } from "./use-names.ts";

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
      <Button
        className="quiet thread-back"
        data-testid="thread-back"
        aria-label={t("conversations.back")}
        onPress={onBack}
      >
        <Icon name="back" />
      </Button>
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
  const { t } = useTexts();
  const { agents } = useSnapshot();
  const labels = useAgentLabels();
  switch (view.kind) {
    case "system":
      return t("manifest.form_title");
    case "group":
      return (
        <span className="head-line">
          {view.members
            .map((member) =>
              member.is_me ? t("conversations.you") : memberName(t, labels, member),
            )
            .join(", ")}
        </span>
      );
    case "direct": {
      const agent = agents.find(({ agent_id }) => agent_id === view.agent_ids[0]);
      return (
        <>
          <AgentState {...view} />
          {agent === undefined || agent.petname === null ? null : (
            <span data-testid="thread-original-name">
              {t("agents.calls_itself")} <VisibleText text={agent.name} />
            </span>
          )}
          {agent === undefined ? null : <KeyFingerprint mark={agent.key_mark} />}
        </>
      );
    }
  }
}
