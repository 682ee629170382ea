import { readSync } from "node:fs";
import {
  SEARCH_FILES_MAX_FILE_BYTES,
  SEARCH_FILES_PREVIEW_CHARS,
} from "../../../../app/contract/tools/search-files.ts";

export interface LineMatch {
  readonly line: number;
  readonly column: number;
  readonly preview: string;
}

export type Searched = "searched" | "binary" | "too_large";

const NEWLINE = 0x0a;
/** A NUL among the first bytes makes a file binary. */
const BINARY_LOOK_BYTES = 8192;
/** Bytes read at once; a search can be stopped between two reads. */
const READ_BYTES = 4_194_304;
/**
 * Units searched at once. Text that nearly matches everywhere takes length × length, which nothing
 * can interrupt; this limits each look-up to some tens of milliseconds.
 */
const WINDOW = 131_072;
/** Bytes converted to lower case at once, extended to the end of the line. */
const FOLD_BYTES = 1_048_576;
/** UTF-16 units shown before the match in a long line's preview. */
const BEFORE_CHARS = 60;

/** Finds plain text in files, one after the other, with one buffer that only grows. */
export class TextSearch {
  readonly #needle: string;
  readonly #bytes: Buffer;
  readonly #caseSensitive: boolean;
  readonly #stop: () => void;
  #buffer = Buffer.allocUnsafeSlow(65_536);

  /** `stop` is called between steps in a long file, and throws when the search was stopped. */
  constructor(text: string, caseSensitive: boolean, stop: () => void) {
    this.#needle = caseSensitive ? text : text.toLowerCase();
    this.#bytes = Buffer.from(text);
    this.#caseSensitive = caseSensitive;
    this.#stop = stop;
  }

  /** Calls `report` once per line in which a match begins, until it returns false. */
  file(fd: number, sizeBytes: number, report: (match: LineMatch) => boolean): Searched {
    if (sizeBytes > SEARCH_FILES_MAX_FILE_BYTES) return "too_large";
    const content = this.#read(fd, sizeBytes);
    if (content === null) return "binary";
    if (this.#caseSensitive) this.#exact(content, report);
    else this.#folded(content, report);
    return "searched";
  }

  #read(fd: number, sizeBytes: number): Buffer | null {
    if (this.#buffer.length < sizeBytes) this.#buffer = Buffer.allocUnsafeSlow(sizeBytes);
    let filled = 0;
    while (filled < sizeBytes) {
      const wanted = Math.min(READ_BYTES, sizeBytes - filled);
      const count = readSync(fd, this.#buffer, filled, wanted, filled);
      if (count === 0) break;
      if (filled === 0 && isBinary(this.#buffer.subarray(0, count))) return null;
      filled += count;
      if (filled < sizeBytes) this.#stop();
    }
    return this.#buffer.subarray(0, filled);
  }

  #exact(content: Buffer, report: (match: LineMatch) => boolean): void {
    let line = 1;
    let lineFrom = 0;
    let hit = this.#next(content, 0);
    while (hit !== -1) {
      for (let end = content.indexOf(NEWLINE, lineFrom); end !== -1 && end < hit; ) {
        line += 1;
        lineFrom = end + 1;
        end = content.indexOf(NEWLINE, lineFrom);
      }
      const newline = content.indexOf(NEWLINE, hit);
      const lineEnd = newline === -1 ? content.length : newline;
      const before = content.toString("utf8", lineFrom, hit);
      const preview = excerpt(content.toString("utf8", lineFrom, lineEnd), before.length);
      if (!report({ line, column: before.length + 1, preview }) || newline === -1) return;
      hit = this.#next(content, lineEnd + 1);
    }
  }

  /**
   * Segment by segment, each of whole lines; a text that spans lines is searched for in one piece.
   */
  #folded(content: Buffer, report: (match: LineMatch) => boolean): void {
    let line = 1;
    for (let from = 0; from < content.length; ) {
      const newline = this.#needle.includes("\n")
        ? -1
        : content.indexOf(NEWLINE, from + FOLD_BYTES);
      const to = newline === -1 ? content.length : newline + 1;
      const goesOn = this.#foldedSegment(content.toString("utf8", from, to), line, report);
      if (!goesOn || to === content.length) return;
      line += newlinesIn(content.subarray(from, to));
      from = to;
      this.#stop();
    }
  }

  /**
   * Lower-casing can change the length of text, but not the number of lines. False: no more matches
   * are wanted.
   */
  #foldedSegment(text: string, firstLine: number, report: (match: LineMatch) => boolean): boolean {
    const lower = text.toLowerCase();
    const place = { line: firstLine, from: 0, lowerFrom: 0 };
    let hit = this.#next(lower, 0);
    while (hit !== -1) {
      moveToLineOf(hit, place, text, lower);
      const newline = text.indexOf("\n", place.from);
      const line = text.slice(place.from, newline === -1 ? text.length : newline);
      const column = unfoldedLength(line, hit - place.lowerFrom);
      const match = { line: place.line, column: column + 1, preview: excerpt(line, column) };
      if (!report(match)) return false;
      const lineEnd = lower.indexOf("\n", hit);
      hit = lineEnd === -1 ? -1 : this.#next(lower, lineEnd + 1);
    }
    return true;
  }

  /** An `indexOf` that can be stopped in between. */
  #next(content: Buffer | string, from: number): number {
    for (let at = from; at < content.length; at += WINDOW) {
      const hit = this.#inWindow(content, at);
      if (hit !== -1) return at + hit;
      this.#stop();
    }
    return -1;
  }

  /** A match begins in the window but may end after it. */
  #inWindow(content: Buffer | string, at: number): number {
    return typeof content === "string"
      ? content.slice(at, at + WINDOW + this.#needle.length - 1).indexOf(this.#needle)
      : content.subarray(at, at + WINDOW + this.#bytes.length - 1).indexOf(this.#bytes);
  }
}

const isBinary = (head: Buffer): boolean => head.subarray(0, BINARY_LOOK_BYTES).includes(0);

function newlinesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

interface LinePlace {
  line: number;
  from: number;
  lowerFrom: number;
}

function moveToLineOf(hit: number, place: LinePlace, text: string, lower: string): void {
  for (let end = lower.indexOf("\n", place.lowerFrom); end !== -1 && end < hit; ) {
    place.line += 1;
    place.lowerFrom = end + 1;
    place.from = text.indexOf("\n", place.from) + 1;
    end = lower.indexOf("\n", place.lowerFrom);
  }
}

/**
 * The number of UTF-16 units at the beginning of `line` whose lower-case form has `lowerLength`
 * units.
 */
function unfoldedLength(line: string, lowerLength: number): number {
  if (line.toLowerCase().length === line.length) return lowerLength;
  let lower = 0;
  let length = 0;
  for (const sign of line) {
    lower += sign.toLowerCase().length;
    if (lower > lowerLength) break;
    length += sign.length;
  }
  return length;
}

/**
 * The line without its `\r`, or the part of a long line around the match; never half a character.
 */
function excerpt(line: string, at: number): string {
  const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (whole.length <= SEARCH_FILES_PREVIEW_CHARS) return whole;
  const latest = whole.length - SEARCH_FILES_PREVIEW_CHARS;
  let from = Math.max(0, Math.min(at - BEFORE_CHARS, latest));
  let to = from + SEARCH_FILES_PREVIEW_CHARS;
  if (isLowSurrogate(whole, from)) from += 1;
  if (isLowSurrogate(whole, to)) to -= 1;
  return whole.slice(from, to);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
