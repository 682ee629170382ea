/**
 * Where `sought` begins in `text`, from the left, in linear time (Knuth, Morris, Pratt). `indexOf`
 * takes quadratic time for texts that nearly match everywhere, and nothing could interrupt it.
 *
 * @param overlapping whether one match may begin inside another
 * @param most stops after this many matches
 */
export function findText(
  text: string,
  sought: string,
  overlapping: boolean,
  most: number,
): readonly number[] {
  const borders = bordersOf(sought);
  const places: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length && places.length < most; at += 1) {
    while (matched > 0 && text[at] !== sought[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === sought[matched]) matched += 1;
    if (matched < sought.length) continue;
    places.push(at + 1 - sought.length);
    matched = overlapping ? (borders.at(-1) ?? 0) : 0;
  }
  return places;
}

/** For each prefix of `text`, the length of its longest proper prefix that is also its suffix. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}
