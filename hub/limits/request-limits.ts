import { isLoopbackAddress } from "../../runtime/net/addresses.ts";
import { refusal } from "../hub-error.ts";
import type { Clock } from "../hub-options.ts";
import { RollingLimit, retryAfter } from "./agent-limits.ts";

const MINUTE_MS = 60_000;
/** An office or a server room behind one address has many people and agents. */
const ADDRESS_PER_MINUTE = 3_000;
const SUBJECT_PER_MINUTE = 1_200;

/** How often anybody may ask in a minute, at this node. What is stored has limits of its own. */
export class RequestLimits {
  readonly #addresses: RollingLimit;
  readonly #subjects: RollingLimit;

  /** @param clock milliseconds that never go back */
  constructor(clock: Clock) {
    this.#addresses = new RollingLimit({ most: ADDRESS_PER_MINUTE, withinMs: MINUTE_MS }, clock);
    this.#subjects = new RollingLimit({ most: SUBJECT_PER_MINUTE, withinMs: MINUTE_MS }, clock);
  }

  /** Before it is known who asks; programs of this computer are not counted. @throws Refusal RATE_LIMITED */
  countAddress(address: string): void {
    if (!isLoopbackAddress(address)) take(this.#addresses, address);
  }

  /** A person or an agent. @throws Refusal RATE_LIMITED */
  countSubject(id: string): void {
    take(this.#subjects, id);
  }
}

function take(limit: RollingLimit, key: string): void {
  const waitMs = limit.take(key);
  if (waitMs !== undefined) throw refusal("RATE_LIMITED", retryAfter(waitMs));
}
