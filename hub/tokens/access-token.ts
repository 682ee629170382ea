import { createHash, hkdfSync } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { refusal } from "../hub-error.ts";
import type { Clock, RandomBytes } from "../hub-options.ts";
import type { Account, MayAsk, SubjectOf } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { randomBase62 } from "./random-text.ts";

/** platform: a person's access token is valid for 5 minutes. */
export const ACCESS_TOKEN_LIFE_S = 300;
/** How long a challenge can be signed. */
export const CHALLENGE_LIFE_S = 60;
const AUDIENCES = { access: "consentry-hub", challenge: "consentry-hub-challenge" } as const;

export interface AccessTokens {
  issue(userId: string): Promise<string>;
  /** The person's id, or `undefined` for anything but a valid token of this hub. */
  verify(token: string): Promise<string | undefined>;
  /** A text that only this hub makes, and that is good for `CHALLENGE_LIFE_S`; nothing is stored. */
  challenge(): Promise<string>;
  isChallenge(text: string): Promise<boolean>;
}

/** @param secret 32 bytes, this hub's own */
export function accessTokens(secret: Uint8Array, clock: Clock, random: RandomBytes): AccessTokens {
  const signed = (audience: keyof typeof AUDIENCES, subject: string, lifeS: number) => {
    const issuedAt = Math.floor(clock.now() / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(subject)
      .setAudience(AUDIENCES[audience])
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifeS)
      .sign(secret);
  };
  const subjectOf = async (audience: keyof typeof AUDIENCES, token: string) => {
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: ["HS256"],
        audience: AUDIENCES[audience],
        requiredClaims: ["sub", "exp"],
        currentDate: new Date(clock.now()),
      });
      return payload.sub;
    } catch {
      return undefined;
    }
  };
  return {
    issue: (userId) => signed("access", userId, ACCESS_TOKEN_LIFE_S),
    verify: (token) => subjectOf("access", token),
    challenge: () => signed("challenge", randomBase62(random, 22), CHALLENGE_LIFE_S),
    isChallenge: async (text) => (await subjectOf("challenge", text)) !== undefined,
  };
}

const AGENT_TOKEN_PREFIX = "hsk_";

/** contract §8: `hsk_` and 40 base62 characters. */
export const newAgentToken = (random: RandomBytes): string =>
  AGENT_TOKEN_PREFIX + randomBase62(random, 40);

/** Of an agent that was accepted: it follows from the token with which it asked, and is stored nowhere. */
export function pairedAgentToken(secret: Uint8Array, pairingToken: string): string {
  let round = 0;
  return (
    AGENT_TOKEN_PREFIX +
    randomBase62((bytes) => {
      round += 1;
      return new Uint8Array(
        hkdfSync("sha256", secret, pairingToken, `agent token ${round}`, bytes),
      );
    }, 40)
  );
}

/** Authorises the agent that waits for this one pairing, nothing else. */
export const newPairingToken = (random: RandomBytes): string => `hsp_${randomBase62(random, 40)}`;

/**
 * A plain SHA-256 is enough to store: a token is 238 bits of randomness, so there is nothing to
 * guess that a slow password hash would have to protect.
 */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** For one person, once. */
export const newInvitationToken = (random: RandomBytes): string =>
  `hsi_${randomBase62(random, 40)}`;

export const subjectBy =
  (
    storage: Pick<HubStorage, "agentWithToken" | "account">,
    accessTokens: AccessTokens,
    localPerson: string,
  ): SubjectOf =>
  async (bearer = "", may) => {
    if (may === "member" && bearer.startsWith(AGENT_TOKEN_PREFIX)) {
      const holder = await storage.agentWithToken(hashToken(bearer));
      if (holder === undefined) throw refusal("UNAUTHENTICATED");
      if (holder.isRemoved) throw refusal("AGENT_REMOVED");
      return { id: holder.agent_id, type: "agent" };
    }
    const id = await accessTokens.verify(bearer);
    if (id === undefined) throw refusal("UNAUTHENTICATED");
    if (id !== localPerson) refuseUnlessLetIn(await storage.account(id), may);
    return { id, type: "human" };
  };

/** A token outlives what was decided about its person by minutes. */
function refuseUnlessLetIn(account: Account | undefined, may: MayAsk): void {
  if (account?.status !== "active") throw refusal("UNAUTHENTICATED");
  if (may === "owner" && account.role !== "owner") throw refusal("FORBIDDEN");
}
