import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { errorKind } from "../../../app/contract/coded-error.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { useAct } from "../../host-context.tsx";

/** Speech stays well understandable at this rate, and the longest message fits the limit of bytes. */
const BITS_PER_SECOND = 24_000;
/** How often the browser hands over what was recorded. */
const PART_MS = 1_000;
/** More than is recorded between two parts. */
const RESERVE_BYTES = 16_384;
const TYPES = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus"] as const;

export interface Recording {
  readonly blob: Blob;
  readonly duration_s: number;
}

/** `denied`: the microphone is not allowed. `empty`: it ended before anything was recorded. */
type RecordFault = "denied" | "no_microphone" | "not_supported" | "failed" | "empty";

const recordError = errorKind<RecordFault>("RecordError");

export class VoiceRecorder {
  readonly #stream: MediaStream;
  readonly #recorder: MediaRecorder;
  readonly #level: () => number;
  readonly #audio = new AudioContext();
  readonly #parts: Blob[] = [];
  readonly #startedAt = performance.now();
  readonly #done = Promise.withResolvers<Recording | null>();
  #isKept = true;

  /** Resolves when it has ended; null: it was given up, or nothing was recorded. */
  readonly done: Promise<Recording | null> = this.#done.promise;

  private constructor(stream: MediaStream, mimeType: string) {
    this.#stream = stream;
    const options = { mimeType, audioBitsPerSecond: BITS_PER_SECOND };
    this.#recorder = new MediaRecorder(stream, options);
    this.#level = levelOf(this.#audio, stream);
    this.#recorder.addEventListener("dataavailable", ({ data }) => this.#took(data));
    this.#recorder.addEventListener("stop", () => this.#ended());
    // The microphone was unplugged, or its permission was withdrawn.
    for (const track of stream.getTracks()) track.addEventListener("ended", () => this.stop());
    this.#recorder.start(PART_MS);
  }

  /** Asks for the microphone. @throws RecordError */
  static async start(): Promise<VoiceRecorder> {
    const mimeType = TYPES.find((type) => globalThis.MediaRecorder?.isTypeSupported(type));
    if (mimeType === undefined) throw recordError("not_supported");
    const audio = { channelCount: 1, echoCancellation: true, noiseSuppression: true };
    const stream = await navigator.mediaDevices.getUserMedia({ audio }).catch((error: unknown) => {
      throw recordError(faultOf(error));
    });
    try {
      return new VoiceRecorder(stream, mimeType);
    } catch {
      release(stream);
      throw recordError("failed");
    }
  }

  get elapsedMs(): number {
    return Math.min(performance.now() - this.#startedAt, LIMITS.voiceMs);
  }

  /** How loud it is now, from 0 to 1. */
  level(): number {
    return this.#level();
  }

  /** Ends it; what was recorded is kept. */
  stop(): void {
    if (this.#recorder.state !== "inactive") this.#recorder.stop();
  }

  /** Ends it and keeps nothing. */
  cancel(): void {
    this.#isKept = false;
    this.stop();
  }

  #took(part: Blob): void {
    this.#parts.push(part);
    const bytes = this.#parts.reduce((sum, { size }) => sum + size, 0);
    if (bytes > LIMITS.voiceBytes - RESERVE_BYTES) this.stop();
  }

  #ended(): void {
    const duration_s = Math.round(this.elapsedMs / 100) / 10;
    release(this.#stream);
    void this.#audio.close();
    const blob = new Blob(this.#parts, { type: this.#recorder.mimeType });
    this.#done.resolve(this.#isKept && blob.size > 0 ? { blob, duration_s } : null);
  }
}

/** The microphone is free again. */
function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function faultOf(error: unknown): RecordFault {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  return name === "NotFoundError" ? "no_microphone" : "failed";
}

const QUIET = 128;

/** The loudest sample of the last moment. */
function levelOf(audio: AudioContext, stream: MediaStream): () => number {
  const analyser = audio.createAnalyser();
  audio.createMediaStreamSource(stream).connect(analyser);
  const samples = new Uint8Array(analyser.fftSize);
  return () => {
    analyser.getByteTimeDomainData(samples);
    return samples.reduce((most, sample) => Math.max(most, Math.abs(sample - QUIET)), 0) / QUIET;
  };
}

export type RecorderState =
  | { readonly kind: "asking" }
  | { readonly kind: "recording"; readonly elapsedMs: number; readonly level: number }
  | { readonly kind: "recorded"; readonly recording: Recording }
  | { readonly kind: "failed"; readonly fault: RecordFault };

const SHOWN_EVERY_MS = 100;

/** Records while it is drawn. @param onRefused the program does not let it record here */
export function useRecorder(conversation_id: string, onRefused: () => void) {
  const act = useAct();
  const [state, setState] = useState<RecorderState>({ kind: "asking" });
  const recorder = useRef<VoiceRecorder | null>(null);
  const refused = useRef(onRefused);
  refused.current = onRefused;
  useEffect(() => {
    const left = new AbortController();
    const record = async (): Promise<void> => {
      if (!(await act("conversations.record", { conversation_id, on: true }))) {
        if (!left.signal.aborted) refused.current();
        return;
      }
      try {
        if (!left.signal.aborted) await recorded(recorder, left.signal, setState);
      } finally {
        await act("conversations.record", { conversation_id, on: false });
      }
    };
    void record();
    return () => {
      left.abort();
      recorder.current?.cancel();
    };
  }, [act, conversation_id]);
  const stop = useCallback(() => recorder.current?.stop(), []);
  return { state, stop };
}

async function recorded(
  held: RefObject<VoiceRecorder | null>,
  signal: AbortSignal,
  show: (state: RecorderState) => void,
): Promise<void> {
  try {
    const running = await VoiceRecorder.start();
    if (signal.aborted) return running.cancel();
    held.current = running;
    const draw = () => {
      const { elapsedMs } = running;
      show({ kind: "recording", elapsedMs, level: running.level() });
      if (elapsedMs >= LIMITS.voiceMs) running.stop();
    };
    draw();
    const drawing = setInterval(draw, SHOWN_EVERY_MS);
    const recording = await running.done;
    clearInterval(drawing);
    held.current = null;
    if (signal.aborted) return;
    show(recording === null ? { kind: "failed", fault: "empty" } : { kind: "recorded", recording });
  } catch (error) {
    const fault = recordError.is(error) ? error.code : "failed";
    if (!signal.aborted) show({ kind: "failed", fault });
  }
}
