/**
 * What leaves the page as it is: controls, formats and unassigned ones (C), spaces (Z), what fonts
 * are told to ignore (fillers, joiners, selectors), marks that have no letter under them, the blank
 * Braille cell and the null notehead.
 */
const UNSEEN = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

/** Whether there is anything to see of a name: one that shows nothing could be anybody's. */
export const isVisibleName = (name: string): boolean =>
  [...name].some((character) => !UNSEEN.test(character));
