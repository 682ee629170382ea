import { useEffect, useRef } from "react";
import { useTexts } from "../language.tsx";
import { showNotification } from "../page-notifications.ts";
import type { ReceivedCard } from "../state/store.ts";
import { announcement } from "./announcement.ts";

const NOTHING = (): void => {};

/** Announces requests that arrive while the person looks elsewhere, if the browser allows it. */
export function useAnnounced(waiting: readonly ReceivedCard[], wanted: boolean): void {
  const { t, language } = useTexts();
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const before = known.current;
    known.current = new Set(waiting.map(({ card }) => card.request_id));
    if (!wanted || document.hasFocus()) return;
    for (const { card } of waiting) {
      if (!before.has(card.request_id))
        showNotification(announcement({ t, language }, card), NOTHING);
    }
  }, [t, language, waiting, wanted]);
}
