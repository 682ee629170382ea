import Type, { type TSchema } from "typebox";

/** One call of the bridge: the schema of its arguments, and its result. */
export interface Call<Args extends TSchema, Result> {
  readonly args: Args;
  /** Exists in the type only. */
  readonly result?: Result;
}

export const call =
  <Result>() =>
  <Args extends TSchema>(args: Args): Call<Args, Result> => ({ args });

export const Id = Type.String({ minLength: 1, maxLength: 128 });

export const closed = { additionalProperties: false } as const;

/** Where a file that the person asked for is. */
export type FileDelivery =
  /** The page must open this address of its own host soon; it works once. */
  | { readonly kind: "download"; readonly path: string }
  | { readonly kind: "saved" }
  | { readonly kind: "cancelled" };
