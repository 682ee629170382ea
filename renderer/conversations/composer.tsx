import { type KeyboardEvent, useState } from "react";
import { Label, TextArea, TextField } from "react-aria-components";
import type { CallArgs } from "../../app/bridge/calls.ts";
import { type ConversationView, SENT_TEXT_MAX } from "../../app/bridge/conversation-views.ts";
import { SuspendButton } from "../agents/suspend-button.tsx";
import { useAct, useShown } from "../host-context.tsx";
import { type Texts, useTexts } from "../language.tsx";
import { Icon, IconButton } from "../parts/icon.tsx";
import { keptState } from "../state/kept-state.ts";
import { numberText } from "../text/format.ts";
import { useTitle } from "./names.ts";
import { VoiceBar } from "./voice/voice-bar.tsx";

/** What the person has written and not sent. */
const useDraft = keptState<string>((draft) => draft.trim() !== "");
/** What may have been sent although it failed: sent again unchanged, it is the same message. */
const useUnsure = keptState<CallArgs<"conversations.send"> | null>();

/** Where the person writes: Enter sends, Shift+Enter starts a new line. */
export function Composer(props: Readonly<{ view: ConversationView; onSent: () => void }>) {
  const { view, onSent } = props;
  const { t, language } = useTexts();
  const act = useAct();
  const connected = useShown((shown) => shown.connection === "connected");
  const title = useTitle(view);
  const [draft, setDraft] = useDraft(view.conversation_id, "");
  const [unsure, setUnsure] = useUnsure(view.conversation_id, null);
  const [sending, setSending] = useState(false);
  const [speaking, setSpeaking] = useState(false);
  if (speaking && !view.offers.voice) setSpeaking(false);
  const blocked = blockedReason(t, view);
  const isTooLong = draft.length > SENT_TEXT_MAX;
  const isSendable = draft.trim() !== "" && !isTooLong;
  const ready = blocked === null && connected && !sending && isSendable;
  const write = (text: string): void => {
    setDraft(text);
    // What is written anew is another message, even if it comes out the same.
    if (text !== unsure?.text) setUnsure(null);
  };
  const send = async (): Promise<void> => {
    if (!ready) return;
    setSending(true);
    const { conversation_id } = view;
    const message =
      unsure?.text === draft
        ? unsure
        : { conversation_id, text: draft, client_message_id: crypto.randomUUID() };
    setDraft("");
    const isSent = await act("conversations.send", message);
    setUnsure(isSent ? null : message);
    if (isSent) onSent();
    else setDraft((typed) => message.text + typed);
    setSending(false);
  };
  const onKey = (event: KeyboardEvent): void => {
    // Enter also confirms a word in an input method.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  if (blocked !== null) {
    return (
      <div className="composer composer-blocked" data-testid="composer-blocked">
        <Icon name="note" />
        <p>{blocked}</p>
        {view.kind === "direct" ? (
          <SuspendButton agentId={view.agent_ids[0] ?? ""} onlyResume />
        ) : null}
      </div>
    );
  }
  if (speaking) {
    return (
      <VoiceBar
        key={view.conversation_id}
        view={view}
        onEnd={(isSent) => {
          setSpeaking(false);
          if (isSent) onSent();
        }}
      />
    );
  }
  return (
    <div className="composer" data-voice={view.offers.voice}>
      <TextField value={draft} onChange={write} isInvalid={isTooLong}>
        <Label className="unseen">{t("conversations.write_to", { title })}</Label>
        <TextArea
          data-testid="composer"
          rows={1}
          dir="auto"
          placeholder={t("conversations.write")}
          onKeyDown={onKey}
        />
      </TextField>
      {view.offers.voice ? (
        <IconButton
          icon="microphone"
          data-testid="composer-voice"
          aria-label={t("voice.record")}
          isDisabled={!connected}
          onPress={() => setSpeaking(true)}
        />
      ) : null}
      <IconButton
        icon="send"
        className="primary"
        data-testid="composer-send"
        aria-label={t("conversations.send")}
        isDisabled={!ready}
        onPress={() => void send()}
      />
      {isTooLong ? (
        <p className="composer-hint field-fault" role="alert">
          {t("conversations.too_long", { most: numberText(language, SENT_TEXT_MAX) })}
        </p>
      ) : (
        <p className="composer-hint muted">{t("conversations.hint")}</p>
      )}
    </div>
  );
}

/** Why nothing can be written here; null: it can. */
function blockedReason(t: Texts["t"], view: ConversationView): string | null {
  const { kind, relation, offers, members } = view;
  if (relation === "suspended") return t("conversations.suspended");
  if (relation === "revoked") {
    return t(kind === "group" ? "groups.ended" : "conversations.revoked");
  }
  if (kind === "group" && members.every(({ is_me }) => is_me)) return t("groups.nobody_else");
  return offers.text ? null : t("conversations.no_text");
}
