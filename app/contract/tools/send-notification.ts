import Type from "typebox";

/** Notifications of one agent that are shown one by one within `NOTIFICATIONS_WITHIN_MS`. */
export const NOTIFICATIONS_AT_MOST = 5;
export const NOTIFICATIONS_WITHIN_MS = 60_000;

export const sendNotificationSchema = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 100 }),
    body: Type.Optional(Type.String({ maxLength: 500 })),
  },
  { additionalProperties: false },
);
export type SendNotificationArguments = Type.Static<typeof sendNotificationSchema>;

export interface SendNotificationResult {
  readonly shown: true;
  /** True when it was only counted in the one notification that says how many more there are. */
  readonly folded: boolean;
}
