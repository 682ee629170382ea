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

/** Whether a parser of bash reads a line as we do. */
export interface SecondReader {
  agrees(line: string, reading: Read): Promise<boolean>;
}

/**
 * tree-sitter with its grammar of bash, on a thread of its own that the first line starts: nothing else waits while
 * it loads or reads.
 */
export class LineParser implements SecondReader {
  readonly #workerUrl: URL;
  readonly #waiting = new Map<number, (commands: LineAnswer["commands"]) => void>();
  #worker: Promise<Worker> | undefined;
  #asked = 0;

  /** @param workerUrl of the built `line-worker`, with the parser's files beside it */
  constructor(workerUrl: URL) {
    this.#workerUrl = workerUrl;
  }

  async agrees(line: string, { directory, commands }: Read): Promise<boolean> {
    const ours = commands.map(({ words }) => words);
    const all = directory === null ? ours : [["cd", directory], ...ours];
    return JSON.stringify(await this.#parsed(line)) === JSON.stringify(all);
  }

  close(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.then((each) => each.terminate()).catch(() => {});
    for (const answer of this.#waiting.values()) answer(null);
    this.#waiting.clear();
  }

  /** Null: it does more than start simple commands, or nobody could parse it. */
  async #parsed(line: string): Promise<LineAnswer["commands"]> {
    this.#worker ??= this.#start();
    this.#asked += 1;
    const id = this.#asked;
    const answered = Promise.withResolvers<LineAnswer["commands"]>();
    this.#waiting.set(id, answered.resolve);
    const late = setTimeout(() => this.close(), PATIENCE_MS);
    try {
      const worker = await this.#worker;
      worker.postMessage({ id, line } satisfies LineJob);
      return await answered.promise;
    } catch {
      this.close();
      return null;
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
    worker.on("message", ({ id, commands }: LineAnswer) => this.#waiting.get(id)?.(commands));
    // Another may have taken its place.
    const lost = () => void this.#worker?.then((now) => now === worker && this.close());
    worker.on("error", lost);
    worker.on("exit", lost);
    return worker;
  }
}
