import type { HubStorage } from "../hub-storage.ts";
import { openStorage, type StorageOptions } from "../storage/open-storage.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Takes effect, and answers, turns of the event loop after it was asked, as a database at the end of a
 * network would; in the order in which it was asked, as the port says.
 */
export async function openLateStorage(options: StorageOptions): Promise<HubStorage> {
  const storage = await openStorage(options);
  let line: Promise<unknown> = Promise.resolve();
  return new Proxy(storage, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...asked: readonly unknown[]): Promise<unknown> => {
        const answer = line.then(turn).then(() => member.apply(target, asked));
        line = answer.then(turn, turn);
        return line.then(() => answer);
      };
    },
  });
}
