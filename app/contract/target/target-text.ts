import { type Fitted, fitted } from "./room.ts";

/** Text of the agent as a heading quotes it. */
export interface TargetText extends Fitted {
  readonly kind: "text";
}

const TEXT_ROOM = 80;

export const targetText = (text: string): TargetText => ({
  kind: "text",
  ...fitted(text, TEXT_ROOM),
});
