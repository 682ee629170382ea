import type { ConsentRequest } from "../../../app/contract/consent-request.ts";
import type { Folding } from "../../tools/platform/notification-fold.ts";

type Asked = Pick<ConsentRequest, "agent_id" | "call_id">;

/**
 * How each request that waits is told of, decided once for all pages and hosts: those that an agent
 * makes and takes back one after the other are as many notifications as those that stay.
 */
export class AnnouncedRequests {
  readonly #folding: Folding;
  readonly #folded = new Map<string, number>();

  constructor(folding: Folding) {
    this.#folding = folding;
  }

  asked(request: Asked): void {
    this.#folded.set(keyOf(request), this.#folding.folded(request.agent_id));
  }

  over(request: Asked): void {
    this.#folded.delete(keyOf(request));
  }

  /** As `ConsentCard` has it. */
  folded(request: Asked): number {
    return this.#folded.get(keyOf(request)) ?? 0;
  }
}

const keyOf = ({ agent_id, call_id }: Asked): string => JSON.stringify([agent_id, call_id]);
