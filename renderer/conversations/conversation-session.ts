import { createStore } from "zustand/vanilla";
import type { CallArgs } from "../../app/bridge/calls.ts";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type {
  ConversationEvents,
  ConversationItem,
  ConversationPage,
  PagePlace,
  TypingView,
} from "../../app/bridge/conversation-views.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { withItems } from "./item-order.ts";
import { type ShownStream, shownStream, withoutArrived, withStream } from "./streams.ts";

export interface SessionPorts {
  /** @throws BridgeError (as a rejection) */
  readonly page: (args: CallArgs<"conversations.page">) => Promise<ConversationPage>;
  readonly signal: AbortSignal;
}

export interface SessionState {
  /** Oldest first. */
  readonly items: readonly ConversationItem[];
  /** Where the next older page begins; null: everything was read. */
  readonly older: PagePlace | null;
  readonly phase: "reading" | "idle" | "failed";
  readonly failure: BridgeErrorCode | null;
  readonly streams: readonly ShownStream[];
  readonly typing: readonly TypingView[];
  /** What arrived since it was opened, for screen readers. */
  readonly arrived: readonly ConversationItem[];
}

export const UNREAD: SessionState = {
  items: [],
  older: null,
  phase: "reading",
  failure: null,
  streams: [],
  typing: [],
  arrived: [],
};

const PAGE_ITEMS = 50;
/** Maximum number of new items kept for being read out. */
const ARRIVED_KEPT = 20;

/** One conversation: its newest page, older pages on demand, and updates from the host. */
export class ConversationSession {
  readonly store = createStore<SessionState>(() => UNREAD);
  readonly #ports: SessionPorts;
  readonly #id: string;
  /** Counts the requests: the answer to an older one is ignored. */
  #reading = 0;
  /** Updates since the newest page was requested, because the page may be older than they are. */
  #heard: ConversationEvents["conversation.items_changed"][] = [];

  constructor(ports: SessionPorts, conversation_id: string) {
    this.#ports = ports;
    this.#id = conversation_id;
  }

  get #state(): SessionState {
    return this.store.getState();
  }

  /** Reads the newest page: at first, and whenever updates may have been missed. */
  async start(): Promise<void> {
    this.#heard = [];
    const page = await this.#read({});
    if (page === null) return;
    const { items, older } = this.#state;
    const known = new Set(items.map(({ item_id }) => item_id));
    // Without a common item, what lies between is unknown, so only the new page is used.
    const joins = page.items.some(({ item_id }) => known.has(item_id));
    const read = joins ? withItems(items, page.items) : page.items;
    this.#set({
      items: this.#heard.reduce(
        (all, { items: told, removed }) => withItems(all, told, removed),
        read,
      ),
      older: joins ? older : page.next_before,
      streams: page.streams.map(shownStream),
      typing: page.typing,
      phase: "idle",
    });
    this.#heard = [];
  }

  /** Reads the page before the oldest item, unless that is already being read. */
  async readOlder(): Promise<void> {
    const { older, phase } = this.#state;
    if (older === null || phase === "reading") return;
    const page = await this.#read({ before: older });
    if (page === null) return;
    this.#set({
      items: withItems(page.items, this.#state.items),
      older: page.next_before,
      phase: "idle",
    });
  }

  accept(event: ConversationEvents["conversation.items_changed"]): void {
    const { items, removed } = event;
    if (this.#state.phase === "reading") this.#heard.push(event);
    const state = this.#state;
    const known = new Set(state.items.map(({ item_id }) => item_id));
    const fresh = items.filter(({ item_id }) => !known.has(item_id));
    this.#set({
      items: withItems(state.items, items, removed),
      streams: withoutArrived(state.streams, fresh),
      arrived: [...state.arrived, ...fresh].slice(-ARRIVED_KEPT),
    });
  }

  empty(): void {
    this.#reading += 1;
    this.#set({ items: [], older: null, streams: [], arrived: [], phase: "idle", failure: null });
    void this.start();
  }

  stream(event: ConversationEvents["conversation.stream"]): void {
    this.#set({ streams: withStream(this.#state.streams, event, this.#state.items) });
  }

  typing({ sender_id, until }: ConversationEvents["conversation.typing"]): void {
    const others = this.#state.typing.filter((each) => each.sender_id !== sender_id);
    this.#set({ typing: until === null ? others : [...others, { sender_id, until }] });
  }

  async #read(
    from: Pick<CallArgs<"conversations.page">, "before">,
  ): Promise<ConversationPage | null> {
    this.#reading += 1;
    const reading = this.#reading;
    this.#set({ phase: "reading", failure: null });
    try {
      const page = await this.#ports.page({
        conversation_id: this.#id,
        limit: PAGE_ITEMS,
        ...from,
      });
      return reading === this.#reading && !this.#ports.signal.aborted ? page : null;
    } catch (error) {
      if (reading === this.#reading) {
        this.#set({ phase: "failed", failure: errorCode(error) });
      }
      return null;
    }
  }

  #set(part: Partial<SessionState>): void {
    if (!this.#ports.signal.aborted) this.store.setState(part);
  }
}
