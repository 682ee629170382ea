/** Up to it, every system can draw all letters. */
const LAST_OF_LATIN = "\u024f";
/** Drawn on the letter before; alone they say nothing about it. */
const MARK = /^\p{M}$/u;

/** A page measures no more different characters than this, so that no request keeps it busy. */
const MEASURED_AT_MOST = 5_000;

const known = new Map<string, boolean>();

/** Whether there is something to see for a character that has a place in Unicode. */
export function isDrawable(character: string): boolean {
  if (character <= LAST_OF_LATIN || MARK.test(character)) return true;
  const before = known.get(character);
  if (before !== undefined || known.size >= MEASURED_AT_MOST) return before ?? true;
  const drawable = missingGlyphs([character]).length === 0;
  known.set(character, drawable);
  return drawable;
}

/**
 * Those of the characters that no font at hand can draw: the browser puts the same empty box in the place of
 * each. Empty where a browser does not let a page find out, or draws such characters as their codes
 * anyway. It stands alone, so that a test can run it on a page.
 */
export function missingGlyphs(characters: readonly string[]): string[] {
  const SIDE = 32;
  /** Nothing will ever be assigned here. */
  const NOTHING = "\u{5fffd}";
  if (characters.length === 0 || typeof OffscreenCanvas === "undefined") return [];
  const context = new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true });
  if (context === null) return [];
  context.font = `${SIDE * 0.625}px sans-serif`;
  context.textBaseline = "middle";
  const pictureOf = (character: string): string => {
    context.clearRect(0, 0, SIDE, SIDE);
    context.fillText(character, 0, SIDE / 2);
    return context.getImageData(0, 0, SIDE, SIDE).data.join();
  };
  const { width } = context.measureText(NOTHING);
  let box: string | undefined;
  return characters.filter((each) => {
    if (context.measureText(each).width !== width) return false;
    box ??= pictureOf(NOTHING);
    return pictureOf(each) === box;
  });
}
