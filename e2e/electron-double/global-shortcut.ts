import { record } from "./record.ts";

const registered = new Map<string, () => void>();

/** Remembered; keys that another program has are those with F9. */
export const globalShortcut = {
  register(keys: string, pressed: () => void): boolean {
    record({ what: "globalShortcut.register", detail: keys });
    if (keys.endsWith("F9")) return false;
    registered.set(keys, pressed);
    return true;
  },
  unregister(keys: string): void {
    record({ what: "globalShortcut.unregister", detail: keys });
    registered.delete(keys);
  },
};

/** The person presses these keys, whichever program has the keyboard. */
export function pressKeys(keys: string): boolean {
  const pressed = registered.get(keys);
  pressed?.();
  return pressed !== undefined;
}
