/** Input types that take no text. */
const WITHOUT_TEXT: readonly string[] = [
  "button",
  "checkbox",
  "color",
  "file",
  "hidden",
  "image",
  "radio",
  "range",
  "reset",
  "submit",
];

/** Whether the person can type there. */
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
