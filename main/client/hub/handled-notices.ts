import type { ReauthRequiredFrame } from "../../../app/protocol/v1/frames.ts";

export type ReauthNotice = ReauthRequiredFrame["payload"];

/**
 * The hub repeats notices until it knows that they were handled. In one run of the program each takes
 * effect once, because the person may have answered it before it is repeated. After a restart it may
 * ask again, which grants nothing.
 */
export class HandledNotices {
  readonly #handled = new Map<string, Promise<boolean>>();

  /** @param handle resolves to false when the hub must repeat the notice */
  once(notice: ReauthNotice, handle: () => Promise<boolean>): Promise<boolean> {
    // By its whole content, not by its id alone: a new hub may use the same id again.
    const key = JSON.stringify(notice);
    const before = this.#handled.get(key);
    if (before !== undefined) return before;
    const handled = handle();
    this.#handled.set(key, handled);
    void handled.then((forGood) => {
      if (!forGood) this.#handled.delete(key);
    });
    return handled;
  }
}
