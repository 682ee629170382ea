import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { APP_IDS } from "../../app/bridge/connected-apps.ts";
import { codeBlocks, codeWords, readDocument, tableOf } from "../../scripts/read-markdown.ts";
import type { Command } from "./app-edit.ts";
import { KNOWN_APPS } from "./known-apps.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = readDocument(root, "docs/connecting-apps.md");
/** The example's own: a checkout in somebody's home folder. */
const OWN: Command = {
  command: "/home/me/consentry/node_modules/node/bin/node",
  args: ["/home/me/consentry/scripts/mcp.mjs", "--data-dir", "/home/me/.local/share/Consentry"],
};

const BESIDES = new Map(
  tableOf(PAGE, "app", "besides").map(([name = "", member = ""]) => [name, codeWords(member)[0]]),
);

/** The page's example in this format; of JSON, with the app's own member and what it has besides. */
function snippetFor({ name, tools }: (typeof KNOWN_APPS)[keyof typeof KNOWN_APPS]): string {
  const [example = ""] = codeBlocks({ path: PAGE.path, text: entries }, tools.format);
  if (tools.format !== "json") return example;
  const { consentry } = JSON.parse(example).mcpServers;
  const besides = JSON.parse(`{${BESIDES.get(name) ?? ""}}`);
  return JSON.stringify({ [tools.member]: { consentry: { ...consentry, ...besides } } });
}

const [, entries = ""] = PAGE.text.split("\n## Entries\n");

it.each(APP_IDS)("the page's entry for %s is what is written into its settings", (id) => {
  const { tools } = KNOWN_APPS[id];
  expect(tools.found(snippetFor(KNOWN_APPS[id]))).toEqual(tools.wanted(OWN, "linux"));
});

it("the page names only apps that are known, each with what its entry has besides", () => {
  const names = Object.values(KNOWN_APPS).map(({ name }) => name);
  expect([...BESIDES.keys()].filter((name) => !names.includes(name))).toEqual([]);
});
