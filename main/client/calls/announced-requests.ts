import { type CallName, callKey } from "../../../app/contract/call-key.ts";
import type { CallObserver } from "../../../app/execution/live-calls.ts";
import type { Folding } from "../../tools/platform/notification-fold.ts";

/**
 * How each waiting request is announced, decided once for all pages and hosts. Requests that an agent
 * makes and withdraws one after the other count like those that stay.
 */
export class AnnouncedRequests implements CallObserver {
  readonly #folding: Folding;
  readonly #folded = new Map<string, number>();

  constructor(folding: Folding) {
    this.#folding = folding;
  }

  asked(request: CallName): void {
    this.#folded.set(callKey(request), this.#folding.folded(request.agent_id));
  }

  settled(request: CallName): void {
    this.#folded.delete(callKey(request));
  }

  /** As `ConsentCard` has it. */
  folded(request: CallName): number {
    return this.#folded.get(callKey(request)) ?? 0;
  }
}
