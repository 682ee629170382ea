import Type from "typebox";
import { LIMITS } from "../limits.ts";
import { quoting } from "../target/targets.ts";
import { CHANGES, ownTool } from "./tool-contract.ts";

export const sendNotification = ownTool({
  name: "send_notification",
  scope: "notification:send",
  leastSensitivity: "low",
  quiet: "scope",
  nature: { ...CHANGES, destructive: false },
  target: ({ arguments: { title } }) =>
    typeof title === "string" ? quoting("notify", "title", title) : null,
  example: { title: "Done", body: "All notes are sorted." },
  arguments: Type.Object(
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
      description: `Shows a notification on the person's screen. Of more than ${LIMITS.notificationsPerMinute} of one agent within a minute, those that tell of its requests among them, the rest are only counted, in one notification.`,
    },
  ),
  result: Type.Object(
    {
      shown: Type.Literal(true, { description: "Always true." }),
      folded: Type.Boolean({
        description:
          "True when it was only counted in the one notification that says how many more there are.",
      }),
    },
    { additionalProperties: false },
  ),
  failures: ["notification_error"],
});
