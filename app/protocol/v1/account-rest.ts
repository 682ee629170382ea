import Type from "typebox";
import { Id, Title } from "./fields.ts";
import { Base64Card } from "./key-rest.ts";

/** Accounts over REST (docs/protocol.md, "People"). Bytes are base64. */
const SIGNATURE_CHARS = 88;

/** `POST /auth/token` */
export const SignInRequest = Type.Object(
  {
    identity_card: Base64Card,
    challenge: Type.String({ minLength: 1, maxLength: 1024 }),
    signature: Type.String({ minLength: SIGNATURE_CHARS, maxLength: SIGNATURE_CHARS }),
    /** The first time: what the owner has handed over. */
    invitation: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  { additionalProperties: false },
);
export type SignInRequest = Type.Static<typeof SignInRequest>;

const Role = Type.Union([Type.Literal("owner"), Type.Literal("member")]);
const Timestamp = Type.String({ format: "date-time" });

/** `POST /people/invitations` */
export const InvitationCreate = Type.Object(
  { name: Title, role: Type.Optional(Role) },
  { additionalProperties: false },
);

export const ChallengeAnswer = Type.Object({
  challenge: Type.String(),
  /** The address to sign with it, which is the one the device has to have asked. */
  hub: Type.String(),
  expires_at: Timestamp,
});
export const SignedIn = Type.Object({
  user_id: Id,
  role: Role,
  /** JWT, valid for `expires_in` seconds. */
  access_token: Type.String(),
  expires_in: Type.Integer({ minimum: 1 }),
});
export type SignedIn = Type.Static<typeof SignedIn>;
export const InvitationCreated = Type.Object({
  /** Works once, and is told once. */
  invitation: Type.String({ pattern: "^hsi_[0-9A-Za-z]{40}$" }),
  name: Type.String(),
  role: Role,
  expires_at: Timestamp,
});
export const PersonView = Type.Object({
  user_id: Id,
  name: Type.String(),
  role: Role,
  status: Type.Union([Type.Literal("active"), Type.Literal("suspended")]),
  created_at: Timestamp,
});
export type PersonView = Type.Static<typeof PersonView>;
