/** Answers after which a person knows what the buttons do. */
const KNOWN_AFTER = 10;
const NAME = "consentry.answers-given";

/** How often this browser's person has answered, up to the number that matters. It decides nothing. */
function answersGiven(): number {
  try {
    const count = Number(localStorage.getItem(NAME));
    return Number.isInteger(count) && count > 0 ? count : 0;
  } catch {
    // The browser keeps nothing for pages; then everything is explained.
    return 0;
  }
}

export const knowsAnswers = (): boolean => answersGiven() >= KNOWN_AFTER;

export function countAnswer(): void {
  try {
    localStorage.setItem(NAME, String(Math.min(answersGiven() + 1, KNOWN_AFTER)));
  } catch {}
}
