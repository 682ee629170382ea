import type { UpdateFault } from "../contract/update-faults.ts";
import { compareVersions, isVersion } from "./compare-versions.ts";

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
