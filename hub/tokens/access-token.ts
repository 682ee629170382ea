import { jwtVerify, SignJWT } from "jose";
import type { Clock } from "../hub-options.ts";

/** platform: a person's access token is valid for 5 minutes. */
export const ACCESS_TOKEN_LIFE_S = 300;
const AUDIENCE = "consentry-hub";

export interface AccessTokens {
  issue(userId: string): Promise<string>;
  /** The person's id, or `undefined` for anything but a valid token of this hub. */
  verify(token: string): Promise<string | undefined>;
}

/** @param secret 32 bytes, this hub's own */
export function accessTokens(secret: Uint8Array, clock: Clock): AccessTokens {
  return {
    issue(userId) {
      const issuedAt = Math.floor(clock.now() / 1000);
      return new SignJWT()
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(userId)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_LIFE_S)
        .sign(secret);
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, secret, {
          algorithms: ["HS256"],
          audience: AUDIENCE,
          requiredClaims: ["sub", "exp"],
          currentDate: new Date(clock.now()),
        });
        return payload.sub;
      } catch {
        return undefined;
      }
    },
  };
}
