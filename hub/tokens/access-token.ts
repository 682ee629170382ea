import { createHash } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { Refusal } from "../hub-error.ts";
import type { Clock, RandomBytes } from "../hub-options.ts";
import type { Subject } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { randomBase62 } from "./random-text.ts";

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

const AGENT_TOKEN_PREFIX = "hsk_";

/** contract §8: `hsk_` and 40 base62 characters. */
export const newAgentToken = (random: RandomBytes): string =>
  AGENT_TOKEN_PREFIX + randomBase62(random, 40);

/** Authorises the agent that waits for this one pairing, nothing else. */
export const newPairingToken = (random: RandomBytes): string => `hsp_${randomBase62(random, 40)}`;

/**
 * A plain SHA-256 is enough to store: a token is 238 bits of randomness, so there is nothing to
 * guess that a slow password hash would have to protect.
 */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/**
 * Who makes the request, by its token.
 * @param may whether agents may ask as well as the person
 * @throws Refusal UNAUTHENTICATED, AGENT_REMOVED
 */
export type SubjectOf = (bearer: string | undefined, may: "person" | "member") => Promise<Subject>;

export const subjectBy =
  (storage: Pick<HubStorage, "userId" | "agentWithToken">, accessTokens: AccessTokens): SubjectOf =>
  async (bearer = "", may) => {
    if (may === "member" && bearer.startsWith(AGENT_TOKEN_PREFIX)) {
      const holder = await storage.agentWithToken(hashToken(bearer));
      if (holder === undefined) throw new Refusal("UNAUTHENTICATED");
      if (holder.isRemoved) throw new Refusal("AGENT_REMOVED");
      return { id: holder.agent_id, type: "agent" };
    }
    const id = await accessTokens.verify(bearer);
    if (id !== storage.userId) throw new Refusal("UNAUTHENTICATED");
    return { id, type: "human" };
  };
