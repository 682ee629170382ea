import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

it("the README's TypeScript stands in the examples, which are compiled and run", () => {
  const snippets = [...read("./README.md").matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, code]) => code,
  );
  const files = readdirSync(new URL("./examples", import.meta.url)).filter((f) =>
    f.endsWith(".ts"),
  );
  const examples = files.map((file) => read(`./examples/${file}`));
  expect(snippets.length).toBeGreaterThan(0);
  for (const snippet of snippets) expect(examples).toContain(snippet);
});
