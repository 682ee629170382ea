import type { UpdateFault } from "../contract/update-faults.ts";

/**
 * What is signed: the list's name goes with its text, so that one channel's or system's list cannot stand
 * in for another's.
 */
export const signedText = (fileName: string, text: string): string =>
  `consentry update list 1\n${fileName}\n${text}`;

export interface FeedFacts {
  /** The version that the list offers. */
  readonly offered: string;
  /** The newest one that this channel has offered so far; null: none. */
  readonly newest: string | null;
  /** Versions that did not start here. */
  readonly failed: readonly string[];
  readonly running: string;
}

/**
 * A signature stays right for ever, so an older list is recognised by its version: what was offered once
 * is never taken back, only followed by something newer.
 */
export function judgeFeed(facts: FeedFacts): "offered" | "nothing_new" | UpdateFault {
  const { offered, newest, failed, running } = facts;
  if (!isVersion(offered)) return "unsigned";
  if (newest !== null && isVersion(newest) && compareVersions(offered, newest) < 0) return "older";
  if (failed.includes(offered)) return "nothing_new";
  return compareVersions(offered, running) > 0 ? "offered" : "nothing_new";
}

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,64}))?$/;
const NUMBER = /^\d+$/;

/** Whether it is a version as releases have it: SemVer 2.0.0, without build metadata. */
export const isVersion = (text: string): boolean => VERSION.test(text);

/** Negative when `one` comes before `other`, by SemVer's precedence. Both must be versions. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [partsOf(one), partsOf(other)];
  for (const [index, number] of first.numbers.entries()) {
    const difference = number - (second.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(first.prerelease, second.prerelease);
}

function partsOf(version: string) {
  const [, ...found] = VERSION.exec(version) ?? [];
  return {
    numbers: found.slice(0, 3).map(Number),
    prerelease: found[3] === undefined ? [] : found[3].split("."),
  };
}

/** A version without one comes after all that have one. */
function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  for (const [index, word] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    if (word !== against) return compareWords(word, against);
  }
  return one.length - other.length;
}

function compareWords(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [NUMBER.test(one), NUMBER.test(other)];
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : 1;
}
