import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { Language, Parser } from "web-tree-sitter";
import { commandsInTree, programsIn } from "../../../app/commands/tree-commands.ts";

/** Both are WebAssembly. */
export interface LineParserFiles {
  readonly runtime: Uint8Array;
  readonly bash: Uint8Array;
}

export interface LineJob {
  readonly id: number;
  readonly line: string;
}

/** Null: the line does more than start simple commands. */
export interface LineAnswer {
  readonly id: number;
  readonly commands: readonly (readonly string[])[] | null;
  readonly programs: readonly string[];
}

/** The thread that parses agents' command lines: it holds no secret and opens nothing. */
async function serve(port: MessagePort, { runtime, bash }: LineParserFiles): Promise<void> {
  await Parser.init({ wasmBinary: runtime });
  const parser = new Parser().setLanguage(await Language.load(bash));
  port.on("message", ({ id, line }: LineJob) => {
    const tree = parser.parse(line);
    const commands = tree === null ? null : commandsInTree(tree.rootNode);
    const programs = tree === null ? [] : programsIn(tree.rootNode);
    tree?.delete();
    port.postMessage({ id, commands, programs } satisfies LineAnswer);
  });
}

if (parentPort !== null) await serve(parentPort, workerData);
