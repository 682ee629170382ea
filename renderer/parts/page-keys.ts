interface PageKey {
  /** As in `KeyboardEvent.key`. */
  readonly key: string;
  /** With Ctrl or ⌘. */
  readonly control?: boolean;
}

/** Every key of a page that is not one of a card's letters; what they do is bound to these entries alone. */
const PAGE_KEYS = {
  later: { key: "Escape" },
  next_request: { key: "j" },
  previous_request: { key: "k" },
  undo: { key: "z", control: true },
  requests: { key: "F6" },
  palette: { key: "k", control: true },
  key_sheet: { key: "?" },
} as const satisfies Readonly<Record<string, PageKey>>;

export type PageKeyName = keyof typeof PAGE_KEYS;

/** In the window of requests alone. */
export const CARD_KEY_NAMES = [
  "later",
  "next_request",
  "previous_request",
  "undo",
  "key_sheet",
] as const satisfies readonly PageKeyName[];

export const PAGE_KEY_NAMES: readonly PageKeyName[] = [...CARD_KEY_NAMES, "requests", "palette"];

type Pressed = Pick<
  KeyboardEvent,
  "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing"
>;

/** Whether this key press is that key, and enters no text. */
export function isPageKey(name: PageKeyName, pressed: Pressed): boolean {
  const { key, control = false }: PageKey = PAGE_KEYS[name];
  if (pressed.isComposing || pressed.altKey) return false;
  if ((pressed.ctrlKey || pressed.metaKey) !== control) return false;
  if (control) return !pressed.shiftKey && pressed.key.toLowerCase() === key;
  const isTyped = key.length === 1 && takesTyping(document.activeElement);
  return !isTyped && pressed.key.toLowerCase() === key.toLowerCase();
}

/** As `aria-keyshortcuts` has it. */
export function keyShortcuts(name: PageKeyName): string {
  const { key, control = false }: PageKey = PAGE_KEYS[name];
  const shown = key.length === 1 ? key.toUpperCase() : key;
  return control ? `Control+${shown} Meta+${shown}` : shown;
}

/** As a person reads it. */
export function keyShown(name: PageKeyName): string {
  const { key, control = false }: PageKey = PAGE_KEYS[name];
  const shown = key === "Escape" ? "Esc" : key.length === 1 ? key.toUpperCase() : key;
  if (!control) return shown;
  return navigator.platform.startsWith("Mac") ? `⌘${shown}` : `Ctrl+${shown}`;
}

/** Input types that take no text. */
const WITHOUT_TEXT = "button checkbox color file hidden image radio range reset submit".split(" ");

export function isEditable(element: Element | null): element is HTMLElement {
  if (element instanceof HTMLInputElement) {
    return !WITHOUT_TEXT.includes(element.type) && !element.readOnly && !element.disabled;
  }
  if (element instanceof HTMLTextAreaElement) return !element.readOnly && !element.disabled;
  return element instanceof HTMLElement && element.isContentEditable;
}

/** A list to choose from, open or closed: letters and digits find a choice in it. */
const LISTS = '[role="listbox"], [aria-haspopup="listbox"]';

/** Whether a letter or a digit pressed there means something to that element. */
export const takesTyping = (element: Element | null): boolean =>
  isEditable(element) || element?.closest(LISTS) instanceof Element;
