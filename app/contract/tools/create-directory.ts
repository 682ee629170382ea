import Type from "typebox";

export const createDirectorySchema = Type.Object(
  {
    /** Absolute path of a folder, there or not, inside one of the agent's roots. */
    path: Type.String({ minLength: 1, maxLength: 4096 }),
    /** Whether missing folders on the way are made as well; without it: `not_found`. */
    parents: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type CreateDirectoryArguments = Type.Static<typeof createDirectorySchema>;

export interface CreateDirectoryResult {
  /** False: there was such a folder already. */
  readonly created: boolean;
}
