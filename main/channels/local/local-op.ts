import type { Static, TSchema } from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";

/** A paired connection, to the operations it asks for. */
export interface LocalAgent {
  readonly agent_id: string;
  /** Its calls of one session are one conversation to the person. */
  readonly session: string;
}

export interface OpRun {
  /** Aborted when the client cancels the request, or is gone; the reason says whether its time is up. */
  readonly signal: AbortSignal;
  progress(progress: JsonValue): void;
}

/**
 * Something that a paired program on this computer may ask for. Its arguments come from outside.
 * @throws LocalOpError
 */
export type LocalOp = (args: JsonObject, agent: LocalAgent, run: OpRun) => Promise<JsonValue>;
export type LocalOps = Readonly<Record<string, LocalOp>>;

/** The arguments of an operation are not what it takes. */
export class LocalOpError extends Error {
  override readonly name = "LocalOpError";
  readonly code = "invalid_arguments";
}

/** An operation that is run only with arguments of this shape. */
export function checked<Args extends TSchema>(
  schema: Args,
  op: (args: Static<Args>, agent: LocalAgent, run: OpRun) => Promise<JsonValue>,
): LocalOp {
  const isArgs = guardOf(schema);
  return async (args, agent, run) => {
    if (!isArgs(args)) throw new LocalOpError();
    return op(args, agent, run);
  };
}
