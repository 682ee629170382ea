import type { ConsentCard } from "../../../app/bridge/consent-views.ts";
import type { CallItem } from "../../../app/bridge/conversation-views.ts";
import type { ActivityRow } from "../../../app/bridge/views.ts";
import { callKey } from "../../../app/contract/tool-call.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import { waitingId, waitingView } from "./item-views.ts";

/** Milliseconds that an answered card stays while its log entry is awaited. */
const LINE_LATE_MS = 1_000;

export interface WaitingPorts {
  readonly scheduler: Scheduler;
  readonly appeared: (conversationId: string, item: CallItem) => void;
  /** No log entry followed. */
  readonly vanished: (conversationId: string, itemId: string) => void;
}

interface Leaving {
  readonly itemId: string;
  readonly cancel: () => void;
}

/** Cards of calls that wait for the person, each until its log entry replaces it. */
export class WaitingCalls {
  readonly #ports: WaitingPorts;
  #shown = new Map<string, ConsentCard>();
  readonly #leaving = new Map<string, Leaving>();

  constructor(ports: WaitingPorts) {
    this.#ports = ports;
  }

  in(conversationId: string): readonly CallItem[] {
    return [...this.#shown.values()]
      .filter(({ conversation_id }) => conversation_id === conversationId)
      .map(waitingView);
  }

  /** All calls that wait now, and those whose denial can still be taken back. */
  now(cards: readonly ConsentCard[]): void {
    const before = this.#shown;
    this.#shown = new Map(cards.map((card) => [card.request_id, card]));
    for (const card of cards) {
      if (before.has(card.request_id)) continue;
      this.#ports.appeared(card.conversation_id, waitingView(card));
    }
    for (const card of before.values()) if (!this.#shown.has(card.request_id)) this.#leave(card);
  }

  /** @returns ids of the cards that this entry replaces */
  replacedBy(row: ActivityRow): readonly string[] {
    const key = callKey(row);
    const leaving = this.#leaving.get(key);
    if (leaving === undefined) return [];
    leaving.cancel();
    this.#leaving.delete(key);
    return [leaving.itemId];
  }

  #leave({ conversation_id, request_id, ...call }: ConsentCard): void {
    const key = callKey(call);
    const itemId = waitingId(request_id);
    const cancel = this.#ports.scheduler.after(LINE_LATE_MS, () => {
      this.#leaving.delete(key);
      this.#ports.vanished(conversation_id, itemId);
    });
    this.#leaving.set(key, { itemId, cancel });
  }
}
