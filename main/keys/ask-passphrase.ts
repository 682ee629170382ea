import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { KeyError } from "./key-error.ts";
import type { PassphraseSource } from "./open-host-key.ts";

const LONGEST = 1_024;

/** The streams of a terminal, or replacements. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Where the passphrase comes from at this start: the first line of a file, or else the terminal.
 * @param file from `--passphrase-file`
 * @param terminal null: there is none
 * @throws KeyError `passphrase_unusable`
 */
export async function passphraseSource(
  file: string | null,
  terminal: Terminal | null,
): Promise<PassphraseSource> {
  const ask = terminal?.input.isTTY === true ? askingOn(terminal) : null;
  return { given: file === null ? null : await firstLineOf(file), ask };
}

async function firstLineOf(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new KeyError("passphrase_unusable", { cause: error });
  });
  const [line = ""] = text.split(/\r?\n/u, 1);
  if (line === "" || line.length > LONGEST) throw new KeyError("passphrase_unusable");
  return line;
}

/** What is typed is not displayed. Ctrl-C or Ctrl-D cancels. */
const askingOn =
  ({ input, output }: Terminal) =>
  (attempt: number): Promise<string> => {
    const again = attempt > 1 ? "That is not it. " : "";
    output.write(`${again}Passphrase of the data folder: `);
    const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
    const line = createInterface({ input, output: unseen, terminal: true });
    return new Promise<string>((resolve, reject) => {
      line.once("line", resolve);
      line.once("SIGINT", () => line.close());
      line.once("close", () => reject(new KeyError("passphrase_needed")));
    }).finally(() => {
      line.close();
      output.write("\n");
    });
  };
