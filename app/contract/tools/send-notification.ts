import Type from "typebox";
import type { ToolContract } from "./tool-contract.ts";

/** Notifications of one agent that are shown one by one within `NOTIFICATIONS_WITHIN_MS`. */
export const NOTIFICATIONS_AT_MOST = 5;
export const NOTIFICATIONS_WITHIN_MS = 60_000;

const sendNotificationSchema = Type.Object(
  {
    title: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "Shown behind the agent's name.",
    }),
    body: Type.Optional(
      Type.String({ maxLength: 500, default: "", description: "Shown below the title." }),
    ),
  },
  {
    additionalProperties: false,
    description: `Shows a notification on the person's screen. Of more than ${NOTIFICATIONS_AT_MOST} of one agent within ${NOTIFICATIONS_WITHIN_MS / 1000} s the rest are only counted, in one notification.`,
  },
);
export type SendNotificationArguments = Type.Static<typeof sendNotificationSchema>;

const sendNotificationResult = Type.Object(
  {
    shown: Type.Literal(true, { description: "Always true." }),
    folded: Type.Boolean({
      description:
        "True when it was only counted in the one notification that says how many more there are.",
    }),
  },
  { additionalProperties: false },
);
export type SendNotificationResult = Readonly<Type.Static<typeof sendNotificationResult>>;

export const sendNotification: ToolContract = {
  arguments: sendNotificationSchema,
  result: sendNotificationResult,
  failures: ["notification_error"],
};
