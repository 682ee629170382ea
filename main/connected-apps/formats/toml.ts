import { parse, patch, stringify } from "@decimalturn/toml-patch";
import { asTable, type Format, inLinesOf, onNewLine, tableIn } from "./format.ts";

export const toml: Format = {
  read: (text) => parse(text),
  /** A table of its own at the end is valid wherever the others are. */
  add(text, place, entry) {
    const lines = stringify(entry).trimEnd();
    const block = `[${place.join(".")}]\n${lines}\n`;
    const start = onNewLine(text);
    return start + inLinesOf(text, start === "" ? block : `\n${block}`);
  },
  remove(text, [table, name]) {
    const values = asTable(parse(text));
    const { [name]: _, ...others } = tableIn(values, table);
    const { [table]: __, ...rest } = values;
    const isLast = Object.keys(others).length === 0;
    return patch(text, isLast ? rest : { ...values, [table]: others });
  },
};
