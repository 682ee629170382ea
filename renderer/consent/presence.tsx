import { useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { IconButton } from "../parts/icon.tsx";
import { isEditable } from "../parts/page-keys.ts";
import type { ReceivedCard } from "../state/store.ts";

/** `modal`: over the page; `docked`: at its edge; `later`: only a bar that brings them back. */
export type Presence = "modal" | "docked" | "later";

export interface Present {
  readonly presence: Presence;
  /** The requests it was decided for. */
  readonly ids: readonly string[];
}

export const NOT_PRESENT: Present = { presence: "modal", ids: [] };

/** Only requests that appear decide anew. @param typing a text field keeps the focus */
export function presentAfter(before: Present, ids: readonly string[], typing: boolean): Present {
  const isSame = ids.length === before.ids.length && ids.every((id, at) => id === before.ids[at]);
  if (isSame) return before;
  const isNew = ids.some((id) => !before.ids.includes(id));
  const appears = isNew && (before.ids.length === 0 || before.presence === "later");
  return { ids, presence: appears ? (typing ? "docked" : "modal") : before.presence };
}

export interface ChosenPresence {
  readonly presence: Presence;
  readonly choose: (presence: Presence) => void;
}

export function usePresence(waiting: readonly ReceivedCard[]): ChosenPresence {
  const [present, setPresent] = useState<Present>(NOT_PRESENT);
  const ids = waiting.map(({ card }) => card.request_id);
  // While rendering: a card that was modal for even one frame would have taken the focus.
  const now = presentAfter(present, ids, isEditable(document.activeElement));
  if (now !== present) setPresent(now);
  const choose = (presence: Presence): void => setPresent((before) => ({ ...before, presence }));
  return { presence: now.presence, choose };
}

interface PresenceButtonsProps {
  readonly onLater: () => void;
  /** Null: the cards are at the side already, or in a window that the person can move. */
  readonly onAside: (() => void) | null;
}

/** For whoever wants to see first what is behind the cards. Neither answers anything. */
export function PresenceButtons({ onLater, onAside }: PresenceButtonsProps) {
  const { t } = useTexts();
  return (
    <div className="presence-buttons">
      {onAside === null ? null : (
        <IconButton
          icon="aside"
          className="quiet"
          aria-label={t("consent.aside")}
          data-testid="consent-aside"
          onPress={onAside}
        />
      )}
      <Button className="quiet" data-testid="consent-later" onPress={onLater}>
        {t("consent.later")}
      </Button>
    </div>
  );
}
