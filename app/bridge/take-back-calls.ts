import Type from "typebox";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import { call, closed, Id } from "./call-shape.ts";

/**
 * `ready`: as the call left it. `changed`: somebody has changed it since, or that is not known. `back`: as it was
 * before. `lost`: it was not kept, or something else is in its place.
 */
export type TakeBackState = "ready" | "changed" | "back" | "lost";

/** What taking back would do at one place. */
export interface TakeBackPlace {
  readonly path: string;
  /** Where it goes, of what is moved back. */
  readonly to: string | null;
  readonly act: "restore" | "remove" | "move_back";
  readonly state: TakeBackState;
  /** From what is there now to what would be; null: it cannot be shown. */
  readonly preview: ConsentPreview | null;
}

/** What of a call can be taken back. */
export interface TakeBackView {
  /** The person has taken it back already. */
  readonly taken_back: boolean;
  /** How many later calls of its conversation can be taken back with it. */
  readonly later: number;
  readonly places: readonly TakeBackPlace[];
  /** Stands for all of this: what changes meanwhile is not taken back unseen. */
  readonly seen: string;
}

const Which = {
  agent_id: Id,
  call_id: Id,
  /** With all later calls of its conversation. */
  later: Type.Boolean(),
};

/** The calls about taking back what agents changed: a part of `CALLS`. */
export const TAKE_BACK_CALLS = {
  /** Null: nothing of it is kept. */
  "changes.look": call<TakeBackView | null>()(Type.Object(Which, closed)),
  /**
   * `despite`: also where somebody has changed it since. `left`: how many places stayed as they are.
   * @throws `not_found`, `changed_since_shown`
   */
  "changes.take_back": call<{ readonly left: number }>()(
    Type.Object(
      { ...Which, despite: Type.Boolean(), seen: Type.String({ maxLength: 64 }) },
      closed,
    ),
  ),
} as const;
