/** Every script of Unicode 17 by its short name (UAX #24), the most frequent ones first. */
const NAMES =
  "Latn Hani Hira Kana Hang Bopo Cyrl Grek Arab Hebr Deva Thai Armn Geor Beng Taml Telu Knda " +
  "Mlym Gujr Guru Orya Sinh Laoo Khmr Mymr Tibt Ethi Thaa Cher Copt " +
  "Adlm Aghb Ahom Armi Avst Bali Bamu Bass Batk Berf Bhks Brah Brai Bugi Buhd Cakm Cans Cari Cham " +
  "Chrs Cpmn Cprt Diak Dogr Dsrt Dupl Egyp Elba Elym Gara Glag Gong Gonm Goth Gran Gukh Hano Hatr " +
  "Hluw Hmng Hmnp Hung Ital Java Kali Kawi Khar Khoj Kits Krai Kthi Lana Lepc Limb Lina Linb Lisu " +
  "Lyci Lydi Mahj Maka Mand Mani Marc Medf Mend Merc Mero Modi Mong Mroo Mtei Mult Nagm Nand Narb " +
  "Nbat Newa Nkoo Nshu Ogam Olck Onao Orkh Osge Osma Ougr Palm Pauc Perm Phag Phli Phlp Phnx Plrd " +
  "Prti Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd Sidt Sind Sogd Sogo Sora Soyo Sund Sunu " +
  "Sylo Syrc Tagb Takr Tale Talu Tang Tavt Tayo Tfng Tglg Tirh Tnsa Todr Tols Toto Tutg Ugar Vaii " +
  "Vith Wara Wcho Xpeo Xsux Yezi Yiii Zanb";

interface ScriptTest {
  readonly name: string;
  readonly test: RegExp;
}

/** An older browser knows fewer scripts; it has no letters of theirs either. */
function testOf(name: string): readonly ScriptTest[] {
  try {
    return [{ name, test: new RegExp(`^\\p{Script_Extensions=${name}}$`, "u") }];
  } catch {
    return [];
  }
}

let tests: readonly ScriptTest[] | undefined;

const ASCII_LETTER = /^[A-Za-z]$/;
const ANY = /^[\p{Script_Extensions=Zyyy}\p{Script_Extensions=Zinh}]$/u;

/**
 * The scripts that use a character, by their short names; null: all do. A letter of an unknown script
 * has "Zzzz".
 */
export function scriptsOf(character: string): readonly string[] | null {
  if (ASCII_LETTER.test(character)) return ["Latn"];
  if (ANY.test(character)) return null;
  tests ??= NAMES.split(" ").flatMap(testOf);
  const found = tests.filter(({ test }) => test.test(character)).map(({ name }) => name);
  return found.length === 0 ? ["Zzzz"] : found;
}

/**
 * Scripts that are written together (UTS #39, augmented script sets): Japanese is Han with kana,
 * Korean Han with Hangul, and Chinese Han with Bopomofo.
 */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  Hani: ["Hani", "Jpan", "Kore", "Hanb"],
  Hira: ["Hira", "Jpan"],
  Kana: ["Kana", "Jpan"],
  Hang: ["Hang", "Kore"],
  Bopo: ["Bopo", "Hanb"],
};
/** What may be mixed with Latin (UTS #39, "highly restrictive"). */
const BESIDE_LATIN = ["Jpan", "Kore", "Hanb"];
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

type Scripts = ReadonlySet<string>;

const shared = ([first = new Set(), ...rest]: readonly Scripts[]): Scripts =>
  new Set([...first].filter((script) => rest.every((set) => set.has(script))));

function isMixed(word: string): boolean {
  const sets = [...new Set(word)].flatMap((character): readonly Scripts[] => {
    const scripts = scriptsOf(character);
    return scripts === null ? [] : [new Set(scripts.flatMap((each) => FAMILIES[each] ?? [each]))];
  });
  if (sets.length === 0 || shared(sets).size > 0) return false;
  const others = sets.filter((set) => !set.has("Latn"));
  if (others.length === 0) return false;
  const beside = shared(others);
  return !BESIDE_LATIN.some((family) => beside.has(family));
}

/**
 * Words that mix scripts whose letters can look alike, each once. Different words of a text may use
 * different scripts; no language mixes them within a word.
 */
export const mixedScriptWords = (text: string): readonly string[] => [
  ...new Set(text.split(BETWEEN_WORDS).filter(isMixed)),
];
