import { Button } from "react-aria-components";
import { useTexts } from "../../language.tsx";
import { Icon } from "../../parts/icon.tsx";
import { usePlayback } from "./use-playback.ts";
import { voiceTime } from "./voice-time.ts";

interface VoicePlayerProps {
  readonly load: () => Promise<Blob | null>;
  /** As its sender measured it. */
  readonly duration_s: number;
}

/** Plays a recording; nothing is loaded or played before the person wants it. */
export function VoicePlayer({ load, duration_s }: VoicePlayerProps) {
  const { t } = useTexts();
  const { isPlaying, position, hasFailed, turn } = usePlayback(load);
  if (hasFailed) return <p className="muted">{t("voice.fault.voice_type_unknown")}</p>;
  const part = duration_s > 0 ? Math.min(1, position / duration_s) : 0;
  const isBegun = isPlaying || position > 0;
  return (
    <div className="voice-player" data-testid="voice-player" data-playing={isPlaying}>
      <Button
        className="quiet voice-key"
        data-testid="voice-play"
        aria-label={t(isPlaying ? "voice.pause" : "voice.play")}
        onPress={turn}
      >
        <Icon name={isPlaying ? "pause" : "play"} />
      </Button>
      <div className="artifact-track" aria-hidden="true">
        <div style={{ inlineSize: `${part * 100}%` }} />
      </div>
      <span className="voice-time" data-testid="voice-time">
        {voiceTime(isBegun ? position : duration_s)}
      </span>
    </div>
  );
}
