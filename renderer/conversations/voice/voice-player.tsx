import { useEffect, useRef, useState } from "react";
import { useTexts } from "../../language.tsx";
import { IconButton } from "../../parts/icon.tsx";

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
      <IconButton
        icon={isPlaying ? "pause" : "play"}
        className="quiet voice-key"
        data-testid="voice-play"
        aria-label={t(isPlaying ? "voice.pause" : "voice.play")}
        onPress={turn}
      />
      <div className="artifact-track" aria-hidden="true">
        <div style={{ inlineSize: `${part * 100}%` }} />
      </div>
      <span className="voice-time" data-testid="voice-time">
        {voiceTime(isBegun ? position : duration_s)}
      </span>
    </div>
  );
}

interface Playback {
  readonly isPlaying: boolean;
  /** Seconds from its beginning. */
  readonly position: number;
  readonly hasFailed: boolean;
  readonly turn: () => void;
}

/** Pauses what is being played, so that there is one at a time. */
let pauseOther: () => void = () => {};

/** Plays a recording when asked to. @param load called once, at first; null: there is none */
function usePlayback(load: () => Promise<Blob | null>): Playback {
  const audio = useRef<HTMLAudioElement | null>(null);
  const opening = useRef<Promise<HTMLAudioElement | null> | null>(null);
  const isGone = useRef(false);
  const [isPlaying, setPlaying] = useState(false);
  const [position, setPosition] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      if (audio.current !== null) dispose(audio.current);
      audio.current = null;
    };
  }, []);
  const open = async (): Promise<HTMLAudioElement | null> => {
    const blob = await load();
    if (blob === null || isGone.current) return null;
    const made = new Audio(URL.createObjectURL(blob));
    made.addEventListener("play", () => setPlaying(true));
    made.addEventListener("pause", () => setPlaying(false));
    made.addEventListener("timeupdate", () => setPosition(made.currentTime));
    made.addEventListener("ended", () => setPosition(0));
    made.addEventListener("error", () => setFailed(true));
    audio.current = made;
    return made;
  };
  const opened = async (): Promise<HTMLAudioElement | null> => {
    opening.current ??= open();
    const element = await opening.current;
    if (element === null) opening.current = null;
    return element;
  };
  const turn = async (): Promise<void> => {
    const element = await opened();
    if (element === null) return;
    if (!element.paused) {
      element.pause();
      return;
    }
    pauseOther();
    pauseOther = () => element.pause();
    // What cannot be played is reported by the element's own event.
    await element.play().catch(() => setFailed(true));
  };
  return { isPlaying, position, hasFailed, turn: () => void turn() };
}

function dispose(audio: HTMLAudioElement): void {
  audio.pause();
  URL.revokeObjectURL(audio.src);
  audio.removeAttribute("src");
}

const MINUTE = 60;

/** `1:07`: minutes and seconds, the same in every language. */
export function voiceTime(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / MINUTE)}:${String(whole % MINUTE).padStart(2, "0")}`;
}
