import Type, { type TObject, type TProperties, type TSchema } from "typebox";
import { AskedQuestions, GivenAnswers } from "./asked-questions.ts";
import { catalogueEntry, ownToolName, type ToolName } from "./catalogue.ts";
import { type AgentScope, isAgentScope } from "./scopes.ts";
import {
  PATH_FAILURES,
  pathArgument,
  type ToolContract,
  toolContract,
} from "./tools/tool-contract.ts";

const PATCHED_FILES = 256;

/** What else an agent gave its own tool: shown and digested, never dropped. */
const also = Type.Optional(
  Type.Object({}, { description: "What else the agent gave its tool, as it gave it." }),
);

/**
 * An agent answers for how its own tool ends; this is what the call is answered with here, with what the person chose
 * where they were asked to.
 */
const CarriedOutByAgent = Type.Object(
  { carried_out_by: Type.Literal("agent"), chosen: Type.Optional(GivenAnswers) },
  { additionalProperties: false },
);

const closed = <P extends TProperties>(properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: false });

const directory = pathArgument("Absolute path of the folder that it runs in.");

/** Ours, and tools of agents' own that none of ours resembles. */
export type AgentToolName =
  | ToolName
  | "edit_notebook"
  | "apply_patch"
  | "approve_plan"
  | "answer_question"
  | "use_tool";

const own = (name: AgentToolName, scope: AgentScope, quiet: ToolContract["quiet"], args: TSchema) =>
  toolContract({
    name,
    scope,
    leastSensitivity: "medium",
    quiet,
    arguments: args,
    result: CarriedOutByAgent,
    failures: PATH_FAILURES,
  });

const path = pathArgument("Absolute path.");
const text = Type.Optional(Type.String());

/**
 * The tools that agents carry out themselves and ask about here, with scopes of their own
 * (contract §4). The limits of ours do not hold for them.
 */
export const AGENT_CATALOGUE: ReadonlyMap<string, ToolContract<AgentToolName>> = new Map(
  [
    own("read_file", "agent:read", "folder_around", closed({ path, also })),
    own("list_directory", "agent:read", "folder", closed({ path, also })),
    own("get_file_info", "agent:read", "folder_around", closed({ path, also })),
    own("search_files", "agent:read", "folder", closed({ path, text, glob: text, also })),
    own(
      "write_file",
      "agent:edit",
      "folder_around",
      closed({
        path,
        content: Type.String({ description: "The whole new content." }),
        if_exists: Type.Optional(Type.Literal("replace")),
        also,
      }),
    ),
    own(
      "edit_file",
      "agent:edit",
      "folder_around",
      closed({
        path,
        edits: Type.Array(
          closed({
            old_text: Type.String({ minLength: 1 }),
            new_text: Type.String(),
            replace_all: Type.Optional(Type.Boolean()),
          }),
          { minItems: 1 },
        ),
        also,
      }),
    ),
    own(
      "edit_notebook",
      "agent:edit",
      "folder_around",
      closed({ path, source: Type.String({ description: "The cell's new text." }), also }),
    ),
    own("create_directory", "agent:edit", "folder", closed({ path, also })),
    own("delete_file", "agent:edit", null, closed({ path, also })),
    own("move_file", "agent:edit", null, closed({ from: path, to: path, also })),
    own(
      "apply_patch",
      "agent:edit",
      null,
      closed({
        patch: Type.String({ minLength: 1, description: "The whole patch, as it was written." }),
        paths: Type.Array(path, {
          minItems: 1,
          maxItems: PATCHED_FILES,
          description: "Every file that the patch writes, moves or deletes.",
        }),
        directory,
        also,
      }),
    ),
    own(
      "run_command",
      "agent:command",
      null,
      Type.Union([
        closed({
          line: Type.String({ minLength: 1, description: "A command line, as typed." }),
          shell: Type.Enum(["sh", "powershell", "cmd"], {
            description: "What reads the line; `sh` stands for every shell of that family.",
          }),
          directory,
          also,
        }),
        closed({
          argv: Type.Array(Type.String(), {
            minItems: 1,
            description: "A program and its arguments, which no shell reads.",
          }),
          directory,
          also,
        }),
      ]),
    ),
    own("fetch_url", "agent:fetch", "host", closed({ url: Type.String({ minLength: 1 }), also })),
    own(
      "approve_plan",
      "agent:tool",
      null,
      closed({ plan: Type.String({ minLength: 1, description: "Markdown." }), also }),
    ),
    own("answer_question", "agent:tool", null, closed({ questions: AskedQuestions, also })),
    own(
      "use_tool",
      "agent:tool",
      "tool",
      closed({
        tool: Type.String({ minLength: 1, maxLength: 256, description: "The agent's name of it." }),
        input: Type.Object({}, { description: "Everything that it was given." }),
        destructive: Type.Boolean({
          description: "Its name or its annotation says that it destroys something.",
        }),
      }),
    ),
  ].map((entry) => [entry.name, entry]),
);

/** The contract of a tool under a scope: what an agent carries out itself, or what is run here. */
export const contractFor = (
  toolName: string,
  scope: string,
): ToolContract<AgentToolName> | undefined =>
  isAgentScope(scope) ? AGENT_CATALOGUE.get(ownToolName(toolName)) : catalogueEntry(toolName);
