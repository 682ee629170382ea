import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { APP_IDS } from "../../app/bridge/connected-apps.ts";
import { codeBlocks, readDocument } from "../../scripts/read-markdown.ts";
import type { AppPlaces, Command } from "./app-edit.ts";
import { KNOWN_APPS } from "./known-apps.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = readDocument(root, "docs/connecting-apps.md");
const linux: AppPlaces = { platform: "linux", home: "~", env: {} };
/** The example's own: a checkout in somebody's home folder. */
const OWN: Command = {
  command: "/home/me/consentry/node_modules/node/bin/node",
  args: ["/home/me/consentry/scripts/mcp.mjs", "--data-dir", "/home/me/.local/share/Consentry"],
};

function sectionOf(name: string): string {
  const [, after = ""] = PAGE.text.split(`\n### ${name}\n`);
  return after.split(/\n##/)[0] ?? "";
}

describe.each(APP_IDS)("the section about %s", (id) => {
  const { name, tools, hook } = KNOWN_APPS[id];
  const section = sectionOf(name);

  it("shows what is written into its settings, and in which file", () => {
    const [snippet = ""] = codeBlocks({ path: PAGE.path, text: section }, tools.format);
    expect(tools.found(snippet)).toEqual(tools.wanted(OWN, "linux"));
    expect(section).toContain(`\`${tools.file(linux)}\``);
    expect(section).toContain(`npm run connect -- ${id}`);
  });

  it("says what becomes of its own tools without an answer, if they can ask here", () => {
    expect(section.includes("--hook")).toBe(hook !== undefined);
    const goesOn = hook?.notes.includes("goes_on");
    expect(section.includes("blocks them")).toBe(goesOn === false);
    expect(section.includes("goes on without asking")).toBe(goesOn === true);
  });
});
