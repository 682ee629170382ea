import { AgentError, type HasheeAgent } from "../../sdk/index.ts";

type Stream = ReturnType<HasheeAgent["stream"]>;

/** What the model says, shown as it is written, and sent as a message where it ends. */
export class SpokenText {
  readonly #open: () => Stream;
  #stream: Stream | null = null;
  #text = "";

  constructor(open: () => Stream) {
    this.#open = open;
  }

  add(piece: string): void {
    if (piece === "") return;
    this.#text += piece;
    this.#stream ??= this.#open();
    try {
      this.#stream.delta(piece);
    } catch (error) {
      // The hub has ended the stream; the whole text is sent all the same.
      if (!(error instanceof AgentError && error.code === "stream_ended")) throw error;
    }
  }

  /** Resolves with what was sent when the hub has it; does nothing where nothing was said. */
  async end(): Promise<readonly string[]> {
    const stream = this.#stream;
    const text = this.#text;
    this.#stream = null;
    this.#text = "";
    if (stream === null) return [];
    await stream.done(text);
    return [text];
  }

  /** What was shown since the last message is not sent. */
  drop(): void {
    this.#stream?.abort();
    this.#stream = null;
    this.#text = "";
  }
}
