import Type from "typebox";

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
}
