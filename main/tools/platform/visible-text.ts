/**
 * Invisible characters that change how other text is displayed (Trojan Source), and control
 * characters that terminals and notification servers interpret (docs/threat-model.md).
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{ad}\u{200b}\u{2060}-\u{2064}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

/** Writes invisible characters as `\u{202e}`; everything else is unchanged. */
export const visibleText = (text: string): string =>
  text.replace(UNSEEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
