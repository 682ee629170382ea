import { ANSWERS, type Answer } from "../../app/contract/consent-request.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import type { Sensitivity } from "../../app/contract/sensitivity.ts";

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
