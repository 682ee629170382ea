import { cutText } from "../cut-text.ts";

/** Words of the agent's as a heading quotes them. */
export interface TargetText {
  readonly kind: "text";
  readonly text: string;
  /** If not, `…` ends it. */
  readonly whole: boolean;
}

/** UTF-16 units that a heading has room for. */
const TEXT_CHARS = 80;

export function targetText(text: string): TargetText {
  const whole = text.length <= TEXT_CHARS;
  return { kind: "text", text: whole ? text : `${cutText(text, TEXT_CHARS)}…`, whole };
}
