/** With `most` characters at most; a longer text ends with `…`. */
export function shortened(text: string, most: number): string {
  // Far more than is kept, so that a huge text is not taken apart whole.
  const characters = [...text.slice(0, most * 4)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
