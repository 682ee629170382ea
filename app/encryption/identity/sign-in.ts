import { ByteWriter, joinBytes } from "../bytes.ts";
import { type CryptoPrimitives, label } from "../crypto-primitives.ts";
import type { IdentityCard } from "./identity.ts";

/** What a person's device proves its identity key with to a hub. */
export interface SignIn {
  /** The hub's address as the device reaches it, which binds the proof to this hub. */
  readonly hub: string;
  /** The hub's own text. */
  readonly challenge: string;
}

/** The bytes that are signed (docs/encryption.md, "Sign-in"). */
export const signInStatement = ({ hub, challenge }: SignIn): Uint8Array =>
  joinBytes(label("signIn"), new ByteWriter().text(hub).text(challenge).done());

export const isSignedIn = (
  crypto: CryptoPrimitives,
  { signingKey }: Pick<IdentityCard, "signingKey">,
  signIn: SignIn,
  signature: Uint8Array,
): boolean => crypto.ed25519Verify(signingKey, signInStatement(signIn), signature);
