import { describe, expect, it } from "vitest";
import { AGENT_CATALOGUE, contractFor } from "./agent-catalogue.ts";
import { CATALOGUE } from "./catalogue.ts";
import { AGENT_SCOPES } from "./scopes.ts";

const TABLE = [
  ["agent:read", ["read_file", "list_directory", "get_file_info", "search_files"]],
  [
    "agent:edit",
    [
      "write_file",
      "edit_file",
      "edit_notebook",
      "create_directory",
      "delete_file",
      "move_file",
      "apply_patch",
    ],
  ],
  ["agent:command", ["run_command"]],
  ["agent:fetch", ["fetch_url"]],
  ["agent:tool", ["approve_plan", "answer_question", "use_tool"]],
] as const;

/** A call of each tool, as agents make it. */
const SAMPLES = {
  read_file: { path: "/p/a" },
  list_directory: { path: "/p" },
  get_file_info: { path: "/p/a" },
  search_files: { path: "/p", glob: "{a,b", text: "x" },
  write_file: { path: "/p/a", content: "", if_exists: "replace" },
  edit_file: { path: "/p/a", edits: [{ old_text: "a", new_text: "", replace_all: true }] },
  edit_notebook: { path: "/p/a.ipynb", source: "1 + 1" },
  create_directory: { path: "/p/d" },
  delete_file: { path: "/p/a" },
  move_file: { from: "/p/a", to: "/p/b" },
  apply_patch: { patch: "*** Begin Patch", paths: ["/p/a"], directory: "/p" },
  run_command: { line: "npm test", shell: "sh", directory: "/p" },
  fetch_url: { url: "https://example.com/" },
  approve_plan: { plan: "# Plan" },
  answer_question: { questions: [{ question: "Which?", options: [{ label: "Red" }] }] },
  use_tool: { tool: "mcp__linear__list", input: { team: "a" }, destructive: false },
};

describe("the tools that agents carry out themselves", () => {
  it.each(TABLE)("are under %s, each medium", (scope, tools) => {
    for (const name of tools) {
      expect(contractFor(name, scope)).toMatchObject({ name, scope, leastSensitivity: "medium" });
    }
  });

  it("are those of the table, under the scopes that there are", () => {
    expect([...AGENT_CATALOGUE.keys()]).toEqual(TABLE.flatMap(([, tools]) => [...tools]));
    expect(TABLE.map(([scope]) => scope)).toEqual([...AGENT_SCOPES]);
  });

  it.each(Object.entries(SAMPLES))(
    "takes a call of %s, with what else it was given",
    (name, args) => {
      const contract = AGENT_CATALOGUE.get(name);
      expect(contract?.acceptsArguments(args)).toBe(true);
      expect(contract?.acceptsArguments({ ...args, other: 1 })).toBe(false);
      if (name !== "use_tool") {
        expect(contract?.acceptsArguments({ ...args, also: { timeout: 5 } })).toBe(true);
      }
    },
  );

  it("takes a program with its words where no shell reads them, but not both", () => {
    const contract = AGENT_CATALOGUE.get("run_command");
    expect(contract?.acceptsArguments({ argv: ["git", "status"], directory: "/p" })).toBe(true);
    const both = { argv: ["git"], line: "git", shell: "sh", directory: "/p" };
    expect(contract?.acceptsArguments(both)).toBe(false);
  });

  it("leave our own tools as they are", () => {
    expect(contractFor("run_command", "shell:exec")).toBe(CATALOGUE.get("run_command"));
    expect(contractFor("use_tool", "shell:exec")).toBeUndefined();
    expect(contractFor("get_location", "agent:read")).toBeUndefined();
  });
});
