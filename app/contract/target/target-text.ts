import { type Fitted, fitted } from "./room.ts";

/** Words of the agent's as a heading quotes them. */
export interface TargetText extends Fitted {
  readonly kind: "text";
}

const TEXT_ROOM = 80;

export const targetText = (text: string): TargetText => ({
  kind: "text",
  ...fitted(text, TEXT_ROOM),
});
