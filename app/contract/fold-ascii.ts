export const foldAscii = (text: string): string =>
  text.replace(/[A-Z]/gu, (letter) => letter.toLowerCase());
