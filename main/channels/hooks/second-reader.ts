import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { brotliDecompress } from "node:zlib";
import type { LineReading } from "../../../app/contract/command-line.ts";
import type { LineAnswer, LineJob, LineParserFiles } from "./line-worker.ts";

/** A line takes less than 1 ms; a thread that says nothing for so long is ended, in milliseconds. */
const PATIENCE_MS = 2_000;

const decompressed = promisify(brotliDecompress);

type Read = Extract<LineReading, { readonly kind: "read" }>;

type Parsed = Omit<LineAnswer, "id">;

const UNPARSED: Parsed = { commands: null, programs: [] };

/** Whether a parser of bash reads a line as we do. */
export interface SecondReader {
  agrees(line: string, reading: Read): Promise<boolean>;
  /** The programs that a line names, to be shown: not all of them need be found. */
  programs(line: string): Promise<readonly string[]>;
}

/**
 * tree-sitter with its grammar of bash, on a thread of its own that the first line starts: nothing else waits while
 * it loads or reads.
 */
export class LineParser implements SecondReader {
  readonly #workerUrl: URL;
  readonly #waiting = new Map<number, (answer: Parsed) => void>();
  #worker: Promise<Worker> | undefined;
  #asked = 0;

  /** @param workerUrl of the built `line-worker`, with the parser's files beside it */
  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl;
  }

  async agrees(line: string, { directory, commands }: Read): Promise<boolean> {
    const ours = commands.map(({ words }) => words);
    const all = directory === null ? ours : [["cd", directory], ...ours];
    return JSON.stringify((await this.#parsed(line)).commands) === JSON.stringify(all);
  }

  async programs(line: string): Promise<readonly string[]> {
    return (await this.#parsed(line)).programs;
  }

  close(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.then((each) => each.terminate()).catch(() => {});
    for (const answer of this.#waiting.values()) answer(UNPARSED);
    this.#waiting.clear();
  }

  /** No commands: it does more than start simple ones, or nobody could parse it. */
  async #parsed(line: string): Promise<Parsed> {
    this.#worker ??= this.#start();
    this.#asked += 1;
    const id = this.#asked;
    const answered = Promise.withResolvers<Parsed>();
    this.#waiting.set(id, answered.resolve);
    const late = setTimeout(() => this.close(), PATIENCE_MS);
    try {
      const worker = await this.#worker;
      worker.postMessage({ id, line } satisfies LineJob);
      return await answered.promise;
    } catch {
      this.close();
      return UNPARSED;
    } finally {
      clearTimeout(late);
      this.#waiting.delete(id);
    }
  }

  async #start(): Promise<Worker> {
    const file = async (name: string) =>
      decompressed(await readFile(new URL(`${name}.br`, this.#workerUrl)));
    const [runtime, bash] = await Promise.all([
      file("web-tree-sitter.wasm"),
      file("tree-sitter-bash.wasm"),
    ]);
    const workerData: LineParserFiles = { runtime, bash };
    const worker = new Worker(this.#workerUrl, {
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      workerData,
    });
    worker.unref();
    worker.on("message", ({ id, ...parsed }: LineAnswer) => this.#waiting.get(id)?.(parsed));
    // Another may have taken its place.
    const lost = () => void this.#worker?.then((now) => now === worker && this.close());
    worker.on("error", lost);
    worker.on("exit", lost);
    return worker;
  }
}
