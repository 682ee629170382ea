import Type from "typebox";
import { BREAKING_KINDS } from "../../contract/manifest.ts";

/** Field types of protocol v1's frames. */
export const Id = Type.String({ minLength: 1, maxLength: 128 });
export const Seq = Type.Integer({ minimum: 1 });
/** Characters of a sealed envelope in base64: ample room for a 1 MiB result in base64 and JSON. */
export const SEALED_AT_MOST_CHARS = 1_900_000;
export const SealedPayload = Type.String({ maxLength: SEALED_AT_MOST_CHARS });
export const Timestamp = Type.String({ maxLength: 40 });

export const AgentName = Type.String({ minLength: 1, maxLength: 64 });
/** Text from a person or an agent. Invisible characters must be made visible when it is shown. */
export const Title = Type.String({ minLength: 1, maxLength: 128 });

export const Count = Type.Integer({ minimum: 0 });

/** Of `BreakingChange`. */
export const BreakingChangeSchema = Type.Object({
  pointer: Type.String(),
  kind: Type.Enum([...BREAKING_KINDS]),
  breaking: Type.Literal(true),
  scope: Type.String(),
  tool: Type.Union([Type.String(), Type.Null()]),
});
