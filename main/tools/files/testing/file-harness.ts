import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { ScratchFolder } from "../../../testing/scratch-folder.ts";
import { lookAt } from "../../get-file-info.ts";
import { type ListJob, listEntries } from "../../list-directory.ts";
import { readLines, readSlice, type SliceJob } from "../../read-file.ts";
import { type SearchJob, searchTree } from "../../search-files.ts";
import type { JobControl } from "../file-tool.ts";
import { sharedNumbers } from "../shared-numbers.ts";

/** For tests: a root with a file and a folder, and beside it what must never be reached. */
export class FileHarness extends ScratchFolder {
  constructor() {
    super();
    this.#fill();
  }

  override renew(): void {
    super.renew();
    this.#fill();
  }

  #fill(): void {
    mkdirSync(join(this.root, "folder"), { recursive: true });
    mkdirSync(join(this.base, "root-evil"));
    writeFileSync(this.inside("file.txt"), "inside");
    writeFileSync(this.inside("folder", "deep.txt"), "deep");
    writeFileSync(this.beside("secret.txt"), "outside");
    writeFileSync(this.beside("root-evil", "secret.txt"), "outside");
  }

  get root(): string {
    return join(this.base, "root");
  }

  inside(...names: string[]): string {
    return join(this.root, ...names);
  }

  beside(...names: string[]): string {
    return join(this.base, ...names);
  }

  job(path: string, more: Partial<SliceJob> = {}): SliceJob {
    return { rootPath: this.root, path, offset: 0, encoding: "utf-8", ...more };
  }

  text(path: string, more: Partial<SliceJob> = {}): string {
    return readSlice(this.job(path, more)).content;
  }

  readWord(path: string, more: Partial<SliceJob> = {}): string {
    return wordOf(() => readSlice(this.job(path, more)));
  }

  list(path: string, rootPath = this.root) {
    const job: ListJob = { rootPath, path };
    return listEntries(job).entries;
  }

  page(path: string, more: Pick<ListJob, "after" | "limit">) {
    return listEntries({ rootPath: this.root, path, ...more });
  }

  lines(path: string, line_start: number, line_count?: number) {
    const job = { rootPath: this.root, path, line_start };
    return readLines(line_count === undefined ? job : { ...job, line_count });
  }

  look(path: string) {
    return lookAt({ rootPath: this.root, path });
  }

  search({ stop, walked, ...more }: Partial<SearchJob & JobControl> = {}, maxEntries?: number) {
    return searchTree(
      { ...SEARCH_DEFAULTS, rootPath: this.root, path: this.root, ...more },
      { stop: stop ?? sharedNumbers(), walked: walked ?? sharedNumbers() },
      maxEntries,
    );
  }

  listWord(path: string, rootPath = this.root): string {
    return wordOf(() => this.list(path, rootPath));
  }

  /**
   * Runs a script beside the test for `ms`. It can use `fs`, `end` (when to stop) and the given
   * names. It reports its start and end by creating files, because no event reaches a synchronous
   * loop.
   */
  meanwhile(body: string, names: Readonly<Record<string, string>>, ms: number): () => boolean {
    const signs = { begun: this.beside("begun"), done: this.beside("done") };
    const values = Object.entries({ ...names, ...signs }).map(
      ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
    );
    const script = `const fs = require("node:fs"); ${values.join(" ")}
      fs.writeFileSync(begun, ""); const end = Date.now() + ${ms};
      try { ${body} } finally { fs.writeFileSync(done, ""); }`;
    spawn(process.execPath, ["-e", script], { stdio: "ignore" });
    while (!existsSync(signs.begun));
    return () => existsSync(signs.done);
  }
}

const SEARCH_DEFAULTS = { case_sensitive: true, include_hidden: false, max_results: 1000 };

/** The word that `work` fails with; anything but a ToolFailure is rethrown. */
export function wordOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (toolFailure.is(error)) return error.code;
    throw error;
  }
  return "no failure";
}

/** What `work` gives, as JSON, or the word that it fails with. */
export function outcomeOf(work: () => unknown): string {
  let given = "";
  const word = wordOf(() => {
    given = JSON.stringify(work());
  });
  return word === "no failure" ? given : word;
}
