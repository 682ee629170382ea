import { type KeyboardEvent, useEffect, useRef } from "react";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { ANSWERS, type Answer } from "../../app/contract/consent-request.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import type { Sensitivity } from "../../app/contract/scopes.ts";
import { takesTyping } from "../parts/page-keys.ts";

/** What a key does on a card: answers it, or only leads to the button that does. */
export type KeyAction =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "go_to"; readonly answer: Answer };

export interface PressedKey {
  readonly key: string;
  /** Held down, with another key, by a program, or while text is entered. */
  readonly isOther: boolean;
  /** Milliseconds since the key press before. */
  readonly quietMs: number;
}

/** The digit of each answer that a card offers; the same answer always has the same one. */
export const keyOf = (answer: Answer): string => String(ANSWERS.indexOf(answer) + 1);

/**
 * Which answer a digit gives, or null. Counts as its button does, and not in the middle of typing: the
 * keyboard must have been still for as long as the card. A high request is allowed by its button alone,
 * to which the key leads; so is anything lasting.
 */
export function keyAction(
  pressed: PressedKey,
  card: { readonly answers: readonly Answer[]; readonly sensitivity: Sensitivity },
  armed: boolean,
): KeyAction | null {
  if (pressed.isOther || pressed.quietMs < LIMITS.approvalInertMs || !armed) return null;
  const answer = card.answers.find((each) => keyOf(each) === pressed.key);
  if (answer === undefined) return null;
  const atOnce = answer === "deny" || (answer === "allow_once" && card.sensitivity !== "high");
  return { kind: atOnce ? "answer" : "go_to", answer };
}

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

/** Answers after which a person knows what the buttons do. */
const KNOWN_AFTER = 10;
const NAME = "consentry.answers-given";

/** How often this browser's person has answered, up to the number that matters. It decides nothing. */
function answersGiven(): number {
  try {
    const count = Number(localStorage.getItem(NAME));
    return Number.isInteger(count) && count > 0 ? count : 0;
  } catch {
    // The browser keeps nothing for pages; then everything is explained.
    return 0;
  }
}

export const knowsAnswers = (): boolean => answersGiven() >= KNOWN_AFTER;

export function countAnswer(): void {
  try {
    localStorage.setItem(NAME, String(Math.min(answersGiven() + 1, KNOWN_AFTER)));
  } catch {}
}
