import { createHash } from "node:crypto";
import type { RandomBytes } from "../hub-options.ts";
import { randomBase62 } from "./random-text.ts";

export const AGENT_TOKEN_PREFIX = "hsk_";

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
