import { parse, patch, stringify } from "@decimalturn/toml-patch";
import { asTable, type EntryPlace, type Format, inLinesOf, onNewLine, tableIn } from "./format.ts";

export const toml: Format = {
  read: (text) => parse(text),
  /** A table of its own at the end is valid wherever the others are. */
  add(text, place, entry) {
    const lines = stringify(entry).trimEnd();
    const block = `[${place.join(".")}]\n${lines}\n`;
    const start = onNewLine(text);
    return start + inLinesOf(text, start === "" ? block : `\n${block}`);
  },
  remove(text, place) {
    const [table, name] = place;
    const left = withoutTables(text, place);
    // Written inline or with dotted keys, it is the library's to find.
    if (left !== null) return left;
    const values = asTable(parse(text));
    const { [name]: _, ...others } = tableIn(values, table);
    const { [table]: __, ...rest } = values;
    const isLast = Object.keys(others).length === 0;
    return patch(text, isLast ? rest : { ...values, [table]: others });
  },
};

/**
 * Without the entry's own tables: the comments and blank lines after them belong to what follows. Null: it
 * has none, or their lines are not told apart safely.
 */
function withoutTables(text: string, [table, name]: EntryPlace): string | null {
  const word = (key: string) => `(?:${key}|"${key}")`;
  const header = new RegExp(`^\\s*\\[\\s*${word(table)}\\s*\\.\\s*${word(name)}\\s*[.\\]]`);
  const lines = text.split(/(?<=\n)/);
  const left: string[] = [];
  for (let at = 0; at < lines.length; ) {
    if (!header.test(lines[at] ?? "")) {
      left.push(lines[at] ?? "");
      at += 1;
      continue;
    }
    const next = lines.findIndex((line, index) => index > at && /^\s*\[/.test(line));
    const end = next === -1 ? lines.length : next;
    const last = lines.slice(at, end).findLastIndex((line) => !/^\s*(?:#|$)/.test(line));
    at += last + 1;
    // The blank line that set it off.
    if (left.at(-1)?.trim() === "" && (at === lines.length || lines[at]?.trim() === "")) left.pop();
  }
  const without = left.join("");
  return without === text || !isToml(without) ? null : without;
}

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
