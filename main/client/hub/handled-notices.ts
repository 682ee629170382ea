import type { ReauthRequiredFrame } from "../../../app/protocol/v1/frames.ts";

export type ReauthNotice = ReauthRequiredFrame["payload"];

/**
 * Notices come again until the hub knows that they were handled. In this run of the program each
 * takes effect once: the person may have answered it before it came again. After a restart it may
 * ask once more, which takes nothing for granted.
 */
export class HandledNotices {
  readonly #handled = new Map<string, Promise<boolean>>();

  /** @param handle false when the notice must come again */
  once(notice: ReauthNotice, handle: () => Promise<boolean>): Promise<boolean> {
    // By everything it says, not by its id alone: another hub may give the same id again.
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
