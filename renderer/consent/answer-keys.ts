import { type KeyboardEvent, useEffect, useRef } from "react";
import { LIMITS } from "../../app/contract/limits.ts";
import { takesTyping } from "../parts/page-keys.ts";

/** What the letters do on a card that has the keyboard. */
export const CARD_KEYS = { deny: "D", allow: "A", lasts: "S", tell: "T" } as const;
export type CardKey = keyof typeof CARD_KEYS;
export const CARD_KEY_ORDER: readonly CardKey[] = ["deny", "allow", "lasts", "tell"];

export interface PressedKey {
  readonly key: string;
  /** Held down, with another key, by a program, or while text is entered. */
  readonly isOther: boolean;
  /** Milliseconds since the key press before. */
  readonly quietMs: number;
}

/** What a letter does, or null; only if the keyboard has been still as long as the card. */
export function keyAction(pressed: PressedKey, armed: boolean): CardKey | null {
  if (pressed.isOther || pressed.quietMs < LIMITS.approvalInertMs || !armed) return null;
  const key = pressed.key.toUpperCase();
  return CARD_KEY_ORDER.find((each) => CARD_KEYS[each] === key) ?? null;
}

const isField = (target: EventTarget): boolean =>
  target instanceof Element &&
  (takesTyping(target) ||
    target.closest("input:not([type=radio], [type=checkbox]), textarea") instanceof Element);

/** The letters on a card that has the keyboard; the returned function is for its key presses. */
export function useAnswerKeys(armed: boolean, onKey: (key: CardKey) => void) {
  const still = useRef({ since: Number.NEGATIVE_INFINITY, before: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    const listening = new AbortController();
    // Every key on the page, so that typing elsewhere does not end as an answer here.
    const pressed = ({ timeStamp }: Event): void => {
      still.current = { before: still.current.since, since: timeStamp };
    };
    document.addEventListener("keydown", pressed, { capture: true, signal: listening.signal });
    return () => listening.abort();
  }, []);
  return (event: KeyboardEvent<HTMLElement>): void => {
    const { nativeEvent: key } = event;
    const isOther =
      key.repeat ||
      key.isComposing ||
      !key.isTrusted ||
      key.ctrlKey ||
      key.metaKey ||
      key.altKey ||
      isField(event.target);
    const quietMs = key.timeStamp - still.current.before;
    const action = keyAction({ key: event.key, isOther, quietMs }, armed);
    if (action === null) return;
    event.preventDefault();
    onKey(action);
  };
}
