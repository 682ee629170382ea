import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { isLoopbackAddress } from "../../runtime/net/addresses.ts";
import { Refusal } from "../hub-error.ts";
import { retryAfter } from "./agent-limits.ts";

/** An office or a server room behind one address has many people and agents. */
const ADDRESS_PER_MINUTE = 3_000;
const SUBJECT_PER_MINUTE = 1_200;

/** How often anybody may ask in a minute, at this node. What is stored has limits of its own. */
export class RequestLimits {
  readonly #addresses = new RateLimiterMemory({ points: ADDRESS_PER_MINUTE, duration: 60 });
  readonly #subjects = new RateLimiterMemory({ points: SUBJECT_PER_MINUTE, duration: 60 });

  /** Before it is known who asks; programs of this computer are not counted. @throws Refusal RATE_LIMITED */
  async countAddress(address: string): Promise<void> {
    if (!isLoopbackAddress(address)) await consume(this.#addresses, address);
  }

  /** A person or an agent. @throws Refusal RATE_LIMITED */
  countSubject(id: string): Promise<void> {
    return consume(this.#subjects, id);
  }
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    throw new Refusal("RATE_LIMITED", retryAfter(Math.max(1, error.msBeforeNext)));
  }
}
