import { globalShortcut } from "electron";
import type { Settings } from "../../app/contract/settings.ts";

export interface RequestShortcut {
  /** From now on these keys, or none. */
  use(keys: Settings["shortcut"]): void;
  end(): void;
}

/**
 * Keys that bring up what waits, whichever program has the keyboard. They only show it: answering takes
 * the card.
 *
 * @param taken another program has these keys
 */
export function requestShortcut(
  pressed: () => void,
  taken: (keys: NonNullable<Settings["shortcut"]>) => void,
): RequestShortcut {
  let used: Settings["shortcut"] = null;
  const end = () => {
    if (used !== null) globalShortcut.unregister(used);
    used = null;
  };
  return {
    use(keys) {
      if (keys === used) return;
      end();
      if (keys === null) return;
      if (globalShortcut.register(keys, pressed)) used = keys;
      else taken(keys);
    },
    end,
  };
}
