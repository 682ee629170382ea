import { type KeyboardEvent, useEffect, useRef } from "react";
import type { ConsentCard } from "../../app/bridge/views.ts";
import type { Answer } from "../../app/contract/consent-request.ts";
import { takesTyping } from "../parts/is-editable.ts";
import { keyAction } from "./answer-keys.ts";

interface AnswerKeys {
  readonly card: Pick<ConsentCard, "answers" | "sensitivity">;
  readonly armed: boolean;
  readonly onAnswer: (answer: Answer) => void;
}

const isField = (target: EventTarget): boolean =>
  target instanceof Element &&
  (takesTyping(target) || target.closest("input, textarea") instanceof Element);

/** The digits on a card that has the keyboard; the returned function is for its key presses. */
export function useAnswerKeys({ card, armed, onAnswer }: AnswerKeys) {
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
    const action = keyAction({ key: event.key, isOther, quietMs }, card, armed);
    if (action === null) return;
    event.preventDefault();
    if (action.kind === "answer") onAnswer(action.answer);
    else
      event.currentTarget.querySelector<HTMLElement>(`[data-answer="${action.answer}"]`)?.focus();
  };
}
