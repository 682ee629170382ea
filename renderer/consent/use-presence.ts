import { useState } from "react";
import { isEditable } from "../parts/is-editable.ts";
import type { ReceivedCard } from "../state/store.ts";
import { NOT_PRESENT, type Presence, type Present, presentAfter } from "./presence.ts";

export interface ChosenPresence {
  readonly presence: Presence;
  readonly choose: (presence: Presence) => void;
}

/** How the waiting cards are present, and the person's choice. */
export function usePresence(waiting: readonly ReceivedCard[]): ChosenPresence {
  const [present, setPresent] = useState<Present>(NOT_PRESENT);
  const ids = waiting.map(({ card }) => card.request_id);
  // While rendering: a card that was modal for even one frame would have taken the focus.
  const now = presentAfter(present, ids, isEditable(document.activeElement));
  if (now !== present) setPresent(now);
  const choose = (presence: Presence): void => setPresent((before) => ({ ...before, presence }));
  return { presence: now.presence, choose };
}
