import type { StreamView, TypingView } from "../../../app/bridge/conversation-views.ts";
import type { Events } from "../../../app/bridge/events.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";

/** Characters of one stream that are kept and shown; the message has the rest. */
const STREAM_CHARS_MAX = 1_000_000;
/** platform: how long a typing indicator lasts after its last frame, in milliseconds. */
const TYPING_MS = 5_000;

export interface StreamEvent {
  readonly kind: "opened" | "delta" | "done" | "aborted";
  readonly conversation_id: string;
  readonly stream_id: string;
  readonly sender_id: string;
  /** Of a delta. */
  readonly text: string;
}

export interface LivePorts {
  readonly scheduler: Scheduler;
  now(): number;
  readonly stream: (event: Events["conversation.stream"]) => void;
  readonly typing: (event: Events["conversation.typing"]) => void;
}

interface OpenStream extends StreamView {
  readonly conversation_id: string;
}
interface OpenTyping extends TypingView {
  readonly conversation_id: string;
  readonly cancel: () => void;
}

/** Texts being written at this moment. They are never stored. */
export class LiveTexts {
  readonly #ports: LivePorts;
  readonly #streams = new Map<string, OpenStream>();
  readonly #typing = new Map<string, OpenTyping>();

  constructor(ports: LivePorts) {
    this.#ports = ports;
  }

  streamsIn(conversationId: string): readonly StreamView[] {
    return [...this.#streams.values()]
      .filter(({ conversation_id }) => conversation_id === conversationId)
      .map(({ conversation_id: _, ...view }) => view);
  }

  typingIn(conversationId: string): readonly TypingView[] {
    return [...this.#typing.values()]
      .filter(({ conversation_id }) => conversation_id === conversationId)
      .map(({ sender_id, until }) => ({ sender_id, until }));
  }

  stream({ kind, text, conversation_id, stream_id, sender_id }: StreamEvent): void {
    const about = { conversation_id, stream_id, sender_id };
    const key = keyOf(sender_id, conversation_id, stream_id);
    const open = this.#streams.get(key);
    const at = this.#ports.now();
    if (kind === "opened") {
      this.#streams.set(key, { ...about, started_at: at, text: "" });
      this.#ports.stream({ ...about, at, kind });
      return;
    }
    // Its beginning was missed: the whole text follows as a message.
    if (open === undefined) return;
    if (kind === "delta") {
      const part = text.slice(0, Math.max(0, STREAM_CHARS_MAX - open.text.length));
      this.#streams.set(key, { ...open, text: open.text + part });
      if (part !== "") this.#ports.stream({ ...about, at, kind, text: part });
      return;
    }
    this.#streams.delete(key);
    this.#ports.stream({ ...about, at, kind });
  }

  showTyping(conversation_id: string, sender_id: string): void {
    const key = keyOf(sender_id, conversation_id);
    this.#typing.get(key)?.cancel();
    const until = this.#ports.now() + TYPING_MS;
    const cancel = this.#ports.scheduler.after(TYPING_MS, () =>
      this.hideTyping(conversation_id, sender_id),
    );
    this.#typing.set(key, { conversation_id, sender_id, until, cancel });
    this.#ports.typing({ conversation_id, sender_id, until });
  }

  hideTyping(conversation_id: string, sender_id: string): void {
    const key = keyOf(sender_id, conversation_id);
    const open = this.#typing.get(key);
    if (open === undefined) return;
    open.cancel();
    this.#typing.delete(key);
    this.#ports.typing({ conversation_id, sender_id, until: null });
  }

  /** The connection to the hub has changed: all indicators and streams end. */
  clear(): void {
    for (const open of [...this.#streams.values()]) {
      this.stream({ ...open, kind: "aborted", text: "" });
    }
    for (const { conversation_id, sender_id } of [...this.#typing.values()]) {
      this.hideTyping(conversation_id, sender_id);
    }
  }
}

const keyOf = (...names: readonly string[]): string => JSON.stringify(names);
