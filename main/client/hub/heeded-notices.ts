import type { ReauthRequiredFrame } from "../../../app/protocol/v1/frames.ts";

export type ReauthNotice = ReauthRequiredFrame["payload"];

/**
 * Notices come again until the hub knows that they were heeded. In this run of the program each
 * takes effect once: the person may have answered it before it came again. After a restart it may
 * ask once more, which takes nothing for granted.
 */
export class HeededNotices {
  readonly #heeded = new Map<string, Promise<boolean>>();

  /** @param heed false when the notice must come again */
  once(notice: ReauthNotice, heed: () => Promise<boolean>): Promise<boolean> {
    // By everything it says, not by its id alone: another hub may give the same id again.
    const key = JSON.stringify(notice);
    const before = this.#heeded.get(key);
    if (before !== undefined) return before;
    const heeded = heed();
    this.#heeded.set(key, heeded);
    void heeded.then((forGood) => {
      if (!forGood) this.#heeded.delete(key);
    });
    return heeded;
  }
}
