import { useEffect, useRef } from "react";
import { Button } from "react-aria-components";
import { useHost, useShown, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Empty, ReadFailure } from "../parts/empty.tsx";
import { readConversations } from "../state/follow-host.ts";
import { ConversationList } from "./conversation-list.tsx";
import { NewGroup } from "./groups/new-group.tsx";
import { useOpenConversation } from "./open-address.ts";
import { Thread } from "./thread.tsx";

/** The person's conversations. On a narrow page, the list and a conversation are two steps. */
export function Conversations() {
  const { t } = useTexts();
  const conversations = useShown((shown) => shown.conversations);
  const { agents } = useSnapshot();
  const { bridge, store } = useHost();
  const failure = useShown((shown) => shown.failures.conversations);
  const [open, setOpen] = useOpenConversation();
  const list = useRef<HTMLDivElement>(null);
  const view = conversations?.find(({ conversation_id }) => conversation_id === open);
  const returning = useRef(false);
  useEffect(() => {
    if (open !== null || !returning.current) return;
    returning.current = false;
    // The list can only be focused now: on a narrow page it is hidden behind the conversation.
    list.current?.querySelector<HTMLElement>("[role=listbox]")?.focus();
  }, [open]);
  const back = (): void => {
    returning.current = true;
    setOpen(null);
  };
  return (
    <div className="conversations" data-step={open === null ? "list" : "thread"}>
      <div className="conversations-side" ref={list}>
        <div className="section-head">
          <h1>{t("nav.conversations")}</h1>
          {agents.length === 0 ? null : <NewGroup onMade={setOpen} />}
        </div>
        {failure === null ? null : (
          <ReadFailure code={failure} onRetry={() => void readConversations(bridge, store)} />
        )}
        {conversations === null ? (
          <p className="muted" role="status">
            {failure === null ? t("conversations.loading_list") : null}
          </p>
        ) : (
          <ConversationList conversations={conversations} open={open} onOpen={setOpen} />
        )}
      </div>
      {view === undefined ? (
        <NothingOpen gone={conversations !== null && open !== null} onBack={back} />
      ) : (
        <Thread key={view.conversation_id} view={view} onBack={back} />
      )}
    </div>
  );
}

interface NothingOpenProps {
  /** The address names a conversation that does not exist. */
  readonly gone: boolean;
  readonly onBack: () => void;
}

function NothingOpen({ gone, onBack }: NothingOpenProps) {
  const { t } = useTexts();
  return (
    <div className="thread thread-none" data-gone={gone}>
      <Empty
        icon="conversations"
        title={gone ? t("conversations.gone_title") : t("conversations.choose_title")}
        body={gone ? t("conversations.gone_body") : t("conversations.choose_body")}
      >
        {gone ? <Button onPress={onBack}>{t("conversations.back")}</Button> : null}
      </Empty>
    </div>
  );
}
