import Type from "typebox";

/** What the frames of protocol v1 are made of. */
export const Id = Type.String({ minLength: 1, maxLength: 128 });
export const Seq = Type.Integer({ minimum: 1 });
/** Base64 of a sealed envelope. A 1 MiB result in base64 and JSON stays well under it. */
export const SealedPayload = Type.String({ maxLength: 1_900_000 });
export const Timestamp = Type.String({ maxLength: 40 });

/** Text from a person or an agent: whoever shows it makes it visible first. */
export const Title = Type.String({ minLength: 1, maxLength: 128 });
