import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ShippedPackage } from "./shipped-packages.ts";

/** Licences that let anybody pass the code on with nothing but their text. */
const PERMISSIVE = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
];

const TELLS_TERMS = /^(licen[cs]e|notice|copying|third[-_]party)/i;
const RULE = "=".repeat(80);

const INTRODUCTION = `Consentry contains the packages below, each under its own licence. Electron's own licence and those
of what Electron contains are in LICENSE.electron.txt and LICENSES.chromium.html.
`;

/**
 * The terms of every package in the app, word for word.
 * @throws Error for a licence that is not a permissive one
 */
export function thirdPartyText(packages: readonly ShippedPackage[]): string {
  const strict = packages.filter(({ license }) => !isPermissive(license));
  if (strict.length > 0) {
    const named = strict.map(({ name, license }) => `${name} (${license || "none given"})`);
    throw new Error(`Not under a permissive licence: ${named.join(", ")}`);
  }
  return [INTRODUCTION, ...[...byTerms(packages)].map(section)].join("\n");
}

/** SPDX: of "A OR B" one is enough, of "A AND B" both are needed. */
const isPermissive = (license: string): boolean =>
  license
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((each) => PERMISSIVE.includes(each)));

/** Under the names of all packages that have exactly these terms. */
function section([terms, names]: readonly [string, readonly string[]]): string {
  return [`${RULE}\n${names.join("\n")}\n${RULE}`, terms, ""].join("\n\n");
}

function byTerms(packages: readonly ShippedPackage[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const each of packages) {
    const terms = termsOf(each);
    const name = `${each.name} ${each.version} (${each.license})`;
    found.set(terms, [...(found.get(terms) ?? []), name]);
  }
  return found;
}

const termsOf = ({ folder }: ShippedPackage): string =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TELLS_TERMS.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), "utf8").trim())
    .join("\n\n");
