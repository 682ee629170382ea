import { isUtf8 } from "node:buffer";
import { assertNever } from "../../app/contract/assert-never.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import {
  SEARCH_FILES_MAX_ENTRIES,
  SEARCH_FILES_MAX_RESULTS,
  type SearchFilesResult,
  type SearchMatch,
  searchFiles,
} from "../../app/contract/tools/search-files.ts";
import { toolFailure } from "../../app/execution/ports.ts";
import { fileTool, type JobControl } from "./files/file-tool.ts";
import { withTreeInside } from "./files/opening/safe-open.ts";
import { readFolder, type Tree } from "./files/opening/tree.ts";
import { type Place, readablePlace, readPreflight } from "./files/paths/folder-preflight.ts";
import { otherNamesOfOurs } from "./files/paths/own-data.ts";
import { compileGlob, type Glob, type States } from "./files/search/glob.ts";
import { TextSearch } from "./files/search/search-text.ts";
import type { SharedNumbers } from "./files/shared-numbers.ts";
import { refuseMissing } from "./get-file-info.ts";

const DEFAULTS = {
  case_sensitive: true,
  include_hidden: false,
  max_results: SEARCH_FILES_MAX_RESULTS,
};

/** `search_files` (contract §4). */
export const searchFilesTool = fileTool(searchFiles, {
  preflight: ({ path }, { roots }, ground) => readPreflight(path, roots, ground, "itself"),
  job: (args, roots, { platform }) => ({
    ...DEFAULTS,
    ...args,
    ...readablePlace(args.path, roots, platform),
  }),
  perform: (job, control) => searchTree(job, control),
  look: refuseMissing,
});

export interface SearchJob extends Place {
  readonly glob?: string;
  readonly text?: string;
  readonly case_sensitive: boolean;
  readonly include_hidden: boolean;
  readonly max_results: number;
}

/**
 * Searches the files below a folder, synchronously and without following links. It checks
 * `stop` at every entry, so that a cancelled search ends at once and closes what it has open.
 * @throws ToolFailure for the folder itself; failures below it are counted
 */
export function searchTree(
  job: SearchJob,
  control: JobControl,
  maxEntries = SEARCH_FILES_MAX_ENTRIES,
): SearchFilesResult {
  return withTreeInside(job.rootPath, job.path, (tree) =>
    new Search(job, control, tree, maxEntries).run(),
  );
}

const EVERYTHING: Glob = {
  start: { members: [0], known: new Map() },
  advance: (states) => states,
  matches: () => true,
};

/** A folder on the way down, and which of its subfolders are still to be visited. */
interface Level {
  /** Prefix of the paths in it: empty, or ending in `/`. */
  readonly prefix: string;
  readonly states: States;
  /** The next one is last. */
  readonly folders: string[];
}

class Search {
  readonly #tree: Tree;
  readonly #report: SearchReport;
  readonly #glob: Glob;
  readonly #text: TextSearch | null;
  readonly #includeHidden: boolean;
  readonly #stop: SharedNumbers;
  readonly #walked: SharedNumbers;
  readonly #maxEntries: number;
  readonly #isOurs = otherNamesOfOurs();
  #entries = 0;

  constructor(job: SearchJob, { stop, walked }: JobControl, tree: Tree, maxEntries: number) {
    this.#tree = tree;
    this.#report = new SearchReport(job.max_results);
    this.#glob = job.glob === undefined ? EVERYTHING : compileGlob(job.glob);
    const goOn = (): void => this.#goOn();
    this.#text = job.text === undefined ? null : new TextSearch(job.text, job.case_sensitive, goOn);
    this.#includeHidden = job.include_hidden;
    this.#stop = stop;
    this.#walked = walked;
    this.#maxEntries = maxEntries;
  }

  run(): SearchFilesResult {
    const levels = [this.#look("", this.#glob.start)];
    // An explicit stack instead of recursion: a tree may be deeper than the call stack.
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      if (this.#report.full) break;
      this.#goOn();
      const name = level.folders.pop();
      if (name !== undefined) {
        const inner = this.#enter(level, name);
        if (inner !== null) levels.push(inner);
        continue;
      }
      levels.pop();
      const above = levels.at(-1);
      // The parent folder was moved away, so what was left in it cannot be visited.
      if (above !== undefined && !this.#tree.leave()) {
        this.#report.skipped("unreadable_skipped", above.folders.splice(0).length);
      }
    }
    return this.#report.result();
  }

  #enter(level: Level, name: string): Level | null {
    const states = this.#glob.advance(this.#glob.advance(level.states, name), "/");
    if (states.members.length === 0) return null;
    if (!this.#attempt(() => this.#tree.enter(name))) return null;
    const prefix = `${level.prefix}${name}/`;
    let inner: Level = { prefix, states, folders: [] };
    this.#attempt(() => {
      inner = this.#look(prefix, states);
    });
    return inner;
  }

  /** Reads a folder, searches its files, and returns its subfolders. */
  #look(prefix: string, states: States): Level {
    const files: string[] = [];
    const folders: string[] = [];
    this.#tree.list((path) => this.#collect(path, files, folders));
    for (const name of files.sort()) {
      if (this.#report.full) break;
      this.#goOn();
      this.#consider(prefix + name, name, this.#glob.advance(states, name));
    }
    return { prefix, states, folders: folders.sort().reverse() };
  }

  #collect(path: string, files: string[], folders: string[]): void {
    for (const [entry, bytes] of readFolder(path)) {
      this.#goOn();
      this.#entries += 1;
      if (this.#entries > this.#maxEntries) throw toolFailure("too_large");
      Atomics.store(this.#walked, 0, this.#entries);
      const list = entry.isFile() ? files : entry.isDirectory() ? folders : null;
      const name = list === null ? null : this.#nameOf(bytes);
      if (name === null) continue;
      if (list === files && this.#isOurs(`${path}/${name}`))
        this.#report.skipped("unreadable_skipped");
      else list?.push(name);
    }
  }

  /** Null if it is to be skipped. */
  #nameOf(name: Buffer): string | null {
    if (!this.#includeHidden && name[0] === 0x2e) return null;
    if (isUtf8(name)) return name.toString("utf8");
    this.#report.skipped("names_skipped");
    return null;
  }

  #consider(path: string, name: string, states: States): void {
    if (!this.#glob.matches(states)) return;
    const text = this.#text;
    if (text === null) {
      this.#report.searched();
      this.#report.add({ path });
    } else {
      this.#attempt(() =>
        this.#tree.withFile(name, (fd, size) => this.#read(text, path, fd, size)),
      );
    }
  }

  #read(text: TextSearch, path: string, fd: number, sizeBytes: number): void {
    const searched = text.file(fd, sizeBytes, (match) => this.#report.add({ path, ...match }));
    switch (searched) {
      case "searched":
        this.#report.searched();
        break;
      case "binary":
        this.#report.skipped("binary_skipped");
        break;
      case "too_large":
        this.#report.skipped("large_skipped");
        break;
      default:
        assertNever(searched);
    }
  }

  /** What cannot be opened is counted; an error that would occur everywhere ends the search. */
  #attempt(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (endsAll(error)) throw error;
      this.#report.skipped("unreadable_skipped");
      return false;
    }
  }

  #goOn(): void {
    if (Atomics.load(this.#stop, 0) !== 0) throw toolFailure("cancelled");
  }
}

const ENDING_WORDS: ReadonlySet<string> = new Set(["cancelled", "too_large", "internal_error"]);
const ENDING_CODES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

function endsAll(error: unknown): boolean {
  if (toolFailure.is(error)) return ENDING_WORDS.has(error.code);
  if (!(error instanceof Error) || !("code" in error)) return true;
  return ENDING_CODES.has(error.code);
}

type Skipped = "binary_skipped" | "large_skipped" | "unreadable_skipped" | "names_skipped";

/** Bytes reserved for everything in a result that is no match. */
const FRAME_BYTES = 1024;

/** What a search has found so far, within the size limit of a result (contract §1). */
class SearchReport {
  readonly #matches: SearchMatch[] = [];
  readonly #maxResults: number;
  readonly #counts = {
    files_searched: 0,
    binary_skipped: 0,
    large_skipped: 0,
    unreadable_skipped: 0,
    names_skipped: 0,
  };
  #bytes = FRAME_BYTES;
  #truncated: SearchFilesResult["truncated"] = null;

  constructor(maxResults: number) {
    this.#maxResults = maxResults;
  }

  /** True once a match did not fit: there is no point in searching further. */
  get full(): boolean {
    return this.#truncated !== null;
  }

  /** False if it is full: the match is left out, and the result says so. */
  add(match: SearchMatch): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(match)) + 1;
    if (this.#matches.length === this.#maxResults) this.#truncated = "max_results";
    else if (this.#bytes + bytes > LIMITS.resultBytes) this.#truncated = "max_bytes";
    if (this.full) return false;
    this.#bytes += bytes;
    this.#matches.push(match);
    return true;
  }

  searched(): void {
    this.#counts.files_searched += 1;
  }

  skipped(why: Skipped, count = 1): void {
    this.#counts[why] += count;
  }

  result(): SearchFilesResult {
    return { matches: this.#matches, ...this.#counts, truncated: this.#truncated };
  }
}
