import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RandomNumbers } from "../../tests/seeding/random-numbers.ts";

export interface SearchedTree {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  /** Occurs on one line of every thousandth file. */
  readonly text: string;
  readonly textFound: number;
  /** Matches the name of every thousandth file. */
  readonly glob: string;
  readonly globFound: number;
}

const EVERY = 1_000;
const TEXT = "the striped zebra drinks";
const ENDINGS = [".ts", ".md", ".txt", ".json", ".css"] as const;
const WORDS =
  "the of and file import export const return value number string async await function while error path read write open close note list".split(
    " ",
  );

/**
 * Folders with 5 to 64 files each, one to five levels deep; files of 200 bytes to 130 KB, most of
 * them small, with short lines of words. Always the same tree.
 */
export function makeTree(folder: string, files: number): SearchedTree {
  const random = new RandomNumbers(1);
  const prose = makeProse(random);
  let made = 0;
  let bytes = 0;
  for (let nth = 0; made < files; nth += 1) {
    const depth = 1 + random.below(5);
    const names = Array.from({ length: depth }, (_, at) => `d${random.below(at === 0 ? 20 : 7)}`);
    const here = join(folder, ...names);
    mkdirSync(here, { recursive: true });
    for (let left = Math.min(5 + random.below(60), files - made); left > 0; left -= 1) {
      const special = made % EVERY === 7;
      const content = prose(
        Math.floor(200 * Math.exp(random.unit() * random.unit() * 6.5)),
        special,
      );
      const name = `${special ? "zebra" : "file"}-${nth}-${left}${ENDINGS[random.below(ENDINGS.length)]}`;
      writeFileSync(join(here, name), content);
      made += 1;
      bytes += content.length;
    }
  }
  const found = Math.ceil((files - 7) / EVERY);
  return {
    folder,
    files,
    bytes,
    text: TEXT,
    textFound: found,
    glob: "**/zebra-*",
    globFound: found,
  };
}

/** Pieces of one long text, so that creating the tree takes no longer than writing it. */
function makeProse(random: RandomNumbers): (bytes: number, special: boolean) => string {
  const lines = Array.from({ length: 8_000 }, () =>
    Array.from({ length: 3 + random.below(12) }, () => WORDS[random.below(WORDS.length)]).join(" "),
  );
  const whole = `${lines.join("\n")}\n`;
  return (bytes, special) => {
    const from = random.below(whole.length - bytes);
    const piece = whole.slice(from, from + bytes);
    return special ? `${piece}\n${TEXT}\n` : piece;
  };
}
