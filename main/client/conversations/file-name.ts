const LONGEST = 100;

/** A name that an agent gave a file, as one under which it can be saved anywhere. */
export function fileName(given: string): string {
  const plain = given
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+/, "");
  // An ending says what a file is, so the middle is cut.
  const cut = [...plain];
  const short =
    cut.length <= LONGEST ? plain : [...cut.slice(0, LONGEST - 20), ...cut.slice(-20)].join("");
  return short === "" ? "file" : short;
}
