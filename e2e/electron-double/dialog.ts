import { record } from "./record.ts";

/** The system's dialogs: those that ask stay open until the person's answer comes through `POST /act`. */

interface Options {
  readonly defaultPath?: string;
  readonly properties?: readonly string[];
}

type Asked = readonly [options: Options] | readonly [window: object, options: Options];

/** Null: cancelled. */
type Answer = (path: string | null) => void;
const waiting: Answer[] = [];

function ask(what: string, asked: Asked): Promise<string | null> {
  const options = asked.length === 1 ? asked[0] : asked[1];
  record({ what, detail: { ...options, attached: asked.length === 2 } });
  return new Promise((resolve) => waiting.push(resolve));
}

export const dialog = {
  async showOpenDialog(...asked: Asked): Promise<{ canceled: boolean; filePaths: string[] }> {
    const path = await ask("dialog.open", asked);
    return { canceled: path === null, filePaths: path === null ? [] : [path] };
  },
  async showSaveDialog(...asked: Asked): Promise<{ canceled: boolean; filePath: string }> {
    const path = await ask("dialog.save", asked);
    return { canceled: path === null, filePath: path ?? "" };
  },
  /** Said on standard error: the program ends afterwards, and its record with it. */
  showErrorBox(title: string, content: string): void {
    process.stderr.write(`[${title}] ${content}\n`);
  },
};

/** The person chooses a path in the dialog that has been open longest, or cancels it. */
export function answerDialog(path: string | null): boolean {
  const answer = waiting.shift();
  answer?.(path);
  return answer !== undefined;
}
