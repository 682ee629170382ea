/**
 * How the waiting cards are present on a page that also shows other things. `modal`: over the page;
 * `docked`: at its edge, and the page stays usable; `later`: only a bar that brings them back.
 */
export type Presence = "modal" | "docked" | "later";

export interface Present {
  readonly presence: Presence;
  /** The requests it was decided for. */
  readonly ids: readonly string[];
}

export const NOT_PRESENT: Present = { presence: "modal", ids: [] };

/**
 * How they are present now. Only requests that appear, or that come while others are put off, decide
 * anew: what the person reads does not change its place.
 *
 * @param typing whether a text field has the focus; a request never takes that away
 */
export function presentAfter(before: Present, ids: readonly string[], typing: boolean): Present {
  const isSame = ids.length === before.ids.length && ids.every((id, at) => id === before.ids[at]);
  if (isSame) return before;
  const isNew = ids.some((id) => !before.ids.includes(id));
  const appears = isNew && (before.ids.length === 0 || before.presence === "later");
  return { ids, presence: appears ? (typing ? "docked" : "modal") : before.presence };
}
