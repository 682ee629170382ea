import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Names of the folder's files that contain this text, plain or in base64. */
export function filesContaining(folder: string, text: string): readonly string[] {
  const forms = [Buffer.from(text), ...base64Forms(text)];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name));
      return forms.some((form) => bytes.includes(form));
    })
    .map(({ name }) => name);
}

/** The text's forms inside base64, by offset; the characters at its edges depend on its neighbours. */
const base64Forms = (text: string): readonly Buffer[] =>
  [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.from(" ".repeat(shift) + text).toString("base64");
    const inner = encoded.slice(shift === 0 ? 0 : 4, -4);
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")].map((form) =>
      Buffer.from(form),
    );
  });
