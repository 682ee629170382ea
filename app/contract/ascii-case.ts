export const foldAscii = (text: string): string =>
  text.replace(/[A-Z]/gu, (letter) => letter.toLowerCase());

/** A pattern for this ASCII text in upper or lower case: JSON Schema's patterns have no flags. */
export const inAnyCase = (text: string): string =>
  text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
