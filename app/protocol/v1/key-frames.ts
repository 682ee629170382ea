import Type from "typebox";
import { Id } from "./fields.ts";

/**
 * To everybody who shares a conversation with an owner: the identity that the owner has published,
 * whenever it changes and after each `auth.ok`. The key id is base64.
 */
export const KeysChangedFrame = Type.Object({
  type: Type.Literal("keys.changed"),
  owner_id: Id,
  key_id: Type.String({ maxLength: 44 }),
});

/** To an owner that has published prekeys and has fewer than 20 one-time ones left. */
export const PrekeysLowFrame = Type.Object({
  type: Type.Literal("prekeys.low"),
  one_time_left: Type.Integer({ minimum: 0 }),
});
export type KeysChangedFrame = Type.Static<typeof KeysChangedFrame>;
