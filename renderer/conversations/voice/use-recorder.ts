import { useCallback, useEffect, useRef, useState } from "react";
import { LIMITS } from "../../../app/contract/limits.ts";
import { useAct } from "../../host-context.tsx";
import { RecordError, type RecordFault, type Recording, VoiceRecorder } from "./recorder.ts";

export type RecorderState =
  | { readonly kind: "asking" }
  | { readonly kind: "recording"; readonly elapsedMs: number; readonly level: number }
  | { readonly kind: "recorded"; readonly recording: Recording }
  | { readonly kind: "failed"; readonly fault: RecordFault };

const SHOWN_EVERY_MS = 100;

/**
 * Records from when it is first drawn. What is recorded is lost when it is no longer drawn.
 * @param onRefused the program does not let a voice message be recorded here
 */
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

interface Held {
  current: VoiceRecorder | null;
}

async function recorded(
  held: Held,
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
    const fault = error instanceof RecordError ? error.fault : "failed";
    if (!signal.aborted) show({ kind: "failed", fault });
  }
}
