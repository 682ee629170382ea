/** The beginning of a text, never ending with half a character. */
export const cutText = (text: string, characters: number): string =>
  text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
