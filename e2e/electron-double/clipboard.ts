import { record } from "./record.ts";

/** What the person or the program copied last: a variable and no system clipboard. */

const TEXT = "text/plain";

export class ClipboardItem {
  readonly #items: Readonly<Record<string, Blob>>;

  constructor(items: Readonly<Record<string, Blob>>) {
    this.#items = items;
  }

  get types(): string[] {
    return Object.keys(this.#items);
  }

  async getType(type: string): Promise<Blob> {
    const found = this.#items[type];
    if (found === undefined) throw new Error("the clipboard holds no such type");
    return found;
  }
}

let held: readonly ClipboardItem[] = [];

export const clipboard = {
  async readText(): Promise<string> {
    const item = held.find(({ types }) => types.includes(TEXT));
    return item === undefined ? "" : (await item.getType(TEXT)).text();
  },
  async writeText(text: string): Promise<void> {
    held = [new ClipboardItem({ [TEXT]: new Blob([text], { type: TEXT }) })];
    record({ what: "clipboard.writeText" });
  },
  async read(): Promise<readonly ClipboardItem[]> {
    return held;
  },
  async write(items: readonly ClipboardItem[]): Promise<void> {
    held = items;
    record({ what: "clipboard.write", detail: items.map(({ types }) => types) });
  },
};
