import { sealingError } from "../../app/protocol/v1/message-sealing.ts";

/** Messages from a sender whose key has changed wait until the new key is accepted. */
export class KeyGates {
  readonly #gates = new Map<
    string,
    { readonly opened: Promise<void>; readonly open: () => void }
  >();
  #isClosed = false;

  /** Tries again when the sender's gate opens; throws what is refused for another reason. */
  async pass<T>(senderId: string, work: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.#gates.get(senderId)?.opened;
      try {
        return await work();
      } catch (error) {
        const isShut = sealingError.is(error) && error.code === "key_changed";
        if (!isShut || this.#isClosed) throw error;
        this.#shut(senderId);
      }
    }
  }

  open(senderId: string): void {
    const gate = this.#gates.get(senderId);
    this.#gates.delete(senderId);
    gate?.open();
  }

  close(): void {
    this.#isClosed = true;
    for (const senderId of [...this.#gates.keys()]) this.open(senderId);
  }

  #shut(senderId: string): void {
    if (this.#gates.has(senderId)) return;
    // Node 20 has no `Promise.withResolvers`.
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#gates.set(senderId, { opened, open });
  }
}
