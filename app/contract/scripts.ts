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
