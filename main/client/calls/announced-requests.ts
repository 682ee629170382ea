import type { Verdict } from "../../../app/consent/verdict.ts";
import { type CallName, callKey } from "../../../app/contract/tool-call.ts";
import type { CallObserver } from "../../../app/execution/live-calls.ts";
import type { ReadableArrival } from "../../../app/execution/ports.ts";
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
    const key = callKey(request);
    if (!this.#folded.has(key)) this.#folded.set(key, this.#folding.folded(request.agent_id));
  }

  settled(request: CallName, { kind }: Verdict): void {
    if (kind !== "reconsider") this.#folded.delete(callKey(request));
  }

  /** Decided anew, it may not have been asked again. */
  closed({ agent_id, call }: ReadableArrival): void {
    this.#folded.delete(callKey({ agent_id, call_id: call.call_id }));
  }

  /** As `ConsentCard` has it. */
  folded(request: CallName): number {
    return this.#folded.get(callKey(request)) ?? 0;
  }
}
