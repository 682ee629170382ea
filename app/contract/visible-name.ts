/**
 * Characters that draw nothing: controls, formats and unassigned ones (C), spaces (Z), those that
 * fonts must ignore (fillers, joiners, selectors), marks without a letter, the blank Braille cell and
 * the null notehead.
 */
const UNSEEN = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/u;

/** Whether a name has anything visible: an invisible one could be anybody's. */
export const isVisibleName = (name: string): boolean =>
  [...name].some((character) => !UNSEEN.test(character));
