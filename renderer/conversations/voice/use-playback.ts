import { useEffect, useRef, useState } from "react";

export interface Playback {
  readonly isPlaying: boolean;
  /** Seconds from its beginning. */
  readonly position: number;
  readonly hasFailed: boolean;
  readonly turn: () => void;
}

/** Pauses what is being played, so that there is one at a time. */
let pauseOther: () => void = () => {};

/**
 * Plays a recording when the person wants it, and at no other time.
 * @param load called once, at the first time; null: there is none
 */
export function usePlayback(load: () => Promise<Blob | null>): Playback {
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
