import { useState } from "react";
import type { ConversationView } from "../../../app/bridge/conversation-views.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { useAct, useShown } from "../../host-context.tsx";
import { useTexts } from "../../language.tsx";
import { base64Of } from "../../parts/files.ts";
import { IconButton } from "../../parts/icon.tsx";
import { type RecorderState, type Recording, useRecorder } from "./recorder.ts";
import { VoicePlayer, voiceTime } from "./voice-player.tsx";

interface VoiceBarProps {
  readonly view: ConversationView;
  /** Sent or given up. */
  readonly onEnd: (isSent: boolean) => void;
}

/** Stands in the composer's place while the person records, listens to it and sends it. */
export function VoiceBar({ view, onEnd }: VoiceBarProps) {
  const { t } = useTexts();
  const act = useAct();
  const connected = useShown((shown) => shown.connection === "connected");
  const { conversation_id } = view;
  const { state, stop } = useRecorder(conversation_id, () => onEnd(false));
  const [client_message_id] = useState(() => crypto.randomUUID());
  const [sending, setSending] = useState(false);
  const send = async ({ blob, duration_s }: Recording): Promise<void> => {
    setSending(true);
    const data = await base64Of(blob);
    const message = { conversation_id, client_message_id, duration_s, data };
    if (await act("conversations.send_voice", message)) onEnd(true);
    setSending(false);
  };
  return (
    <section className="composer voice-bar" data-testid="voice-bar" data-state={state.kind}>
      <IconButton
        icon={state.kind === "recorded" ? "trash" : "close"}
        autoFocus
        className="quiet"
        data-testid="voice-cancel"
        aria-label={t("voice.cancel")}
        onPress={() => onEnd(false)}
      />
      <VoiceState state={state} />
      {state.kind === "recording" ? (
        <IconButton
          icon="stop"
          data-testid="voice-stop"
          aria-label={t("voice.stop")}
          onPress={stop}
        />
      ) : null}
      {state.kind === "recorded" ? (
        <IconButton
          icon="send"
          className="primary"
          data-testid="voice-send"
          aria-label={t("voice.send")}
          isDisabled={!connected}
          isPending={sending}
          onPress={() => void send(state.recording)}
        />
      ) : null}
    </section>
  );
}

function VoiceState({ state }: { readonly state: RecorderState }) {
  const { t } = useTexts();
  switch (state.kind) {
    case "asking":
      return <p role="status">{t("voice.asking")}</p>;
    case "failed":
      return (
        <p role="alert" data-testid="voice-failed" data-fault={state.fault}>
          {t(`voice.record_fault.${state.fault}`)}
        </p>
      );
    case "recorded":
      return (
        <VoicePlayer
          load={async () => state.recording.blob}
          duration_s={state.recording.duration_s}
        />
      );
    case "recording":
      return (
        <div className="voice-recording">
          <span className="unseen" role="status">
            {t("voice.recording")}
          </span>
          <span className="voice-dot" aria-hidden="true" />
          <div className="artifact-track" aria-hidden="true" data-testid="voice-level">
            <div style={{ inlineSize: `${Math.round(state.level * 100)}%` }} />
          </div>
          <span className="voice-time" data-testid="voice-elapsed">
            {t("voice.time_of", {
              time: voiceTime(state.elapsedMs / 1000),
              most: voiceTime(LIMITS.voiceMs / 1000),
            })}
          </span>
        </div>
      );
  }
}
