import { isAbsolute } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";
import { parseStrictJson, strictJsonError } from "../../../app/contract/strict-json.ts";
import { type HookAgent, isInner, isUnreadChoice, readerOf } from "./agent-tools.ts";
import { type AskedCall, anyTool, first, isAmbiguous } from "./read-tool.ts";

/** Bytes of what a hook is handed; a call that the person is asked about is far smaller. */
const HOOK_INPUT_BYTES = 8 * 1024 * 1024;

const MARK = [0xef, 0xbb, 0xbf] as const;

/** Some agents put a byte order mark before the JSON, or two. */
export function withoutMarks(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (MARK.every((byte, at) => bytes[start + at] === byte)) start += MARK.length;
  return bytes.subarray(start);
}

/** Null: not what a hook sends. */
export function hookInput(bytes: Uint8Array): JsonValue {
  try {
    return parseStrictJson(withoutMarks(bytes), HOOK_INPUT_BYTES);
  } catch (error) {
    if (strictJsonError.is(error)) return null;
    throw error;
  }
}

/** As Claude Code and Codex call it. */
export const PERMISSION_EVENT = "PermissionRequest";

/** What an agent is about to do by itself. */
export interface HookQuestion {
  /** The agent's own name for its session. */
  readonly session: string;
  /** The agent's own name for this use of its tool; null: it has none. */
  readonly use: string | null;
  /** The folders that it has open. */
  readonly project: readonly string[];
  /** Several are allowed together or not at all. */
  readonly calls: readonly AskedCall[];
  /** What it does by itself, which nobody is asked about before: only in the log. */
  readonly inner: boolean;
  /** Its own dialog asks the person for more than a yes, and we could not. */
  readonly choice: boolean;
  /** `permission`: the agent's own question to the person; its dialog comes unless we answer. */
  readonly event: "before" | "permission";
}

/**
 * `unreadable`: not what this agent's hooks send; `unknown_tool`: a use of a tool that we cannot show
 * exactly.
 */
export type HookInput =
  | { readonly kind: "question"; readonly question: HookQuestion }
  | { readonly kind: "unreadable" | "unknown_tool" };

/** What a hook of this agent's was handed on its standard input. */
export function readHookInput(agent: HookAgent, input: JsonValue): HookInput {
  if (!isJsonObject(input)) return { kind: "unreadable" };
  const session = first(input, "session_id", "sessionId", "conversation_id");
  const tool = first(input, "tool_name");
  const roots = rootsIn(input.workspace_roots);
  const cwd = first(input, "cwd", "working_dir") ?? roots?.[0] ?? null;
  const isPlaced = cwd !== null || roots !== null;
  if (session === null || session === "" || tool === null || tool === "" || !isPlaced) {
    return { kind: "unreadable" };
  }
  const use = first(input, "tool_use_id", "toolUseId", "tool_call_id");
  const calls = isJsonObject(input.tool_input) ? callsOf(agent, tool, input.tool_input, cwd) : null;
  if (calls === null) return { kind: "unknown_tool" };
  const open = roots !== null && roots.length > 0 ? roots : cwd === null ? [] : [cwd];
  const project = open.filter((folder) => isAbsolute(folder));
  return {
    kind: "question",
    question: {
      session,
      use,
      project,
      calls,
      inner: isInner(agent, tool),
      choice: isUnreadChoice(tool, calls),
      event: eventIn(input),
    },
  };
}

function callsOf(
  agent: HookAgent,
  tool: string,
  input: JsonObject,
  cwd: string | null,
): readonly AskedCall[] | null {
  const reader = readerOf(agent, tool);
  if (reader === undefined) return anyTool(tool, input);
  return isAmbiguous(input) ? null : reader(input, cwd);
}

const rootsIn = (list: JsonValue | undefined): readonly string[] | null =>
  Array.isArray(list) ? list.filter((each) => typeof each === "string") : null;

const eventIn = ({ hook_event_name }: JsonObject): HookQuestion["event"] =>
  hook_event_name === PERMISSION_EVENT ? "permission" : "before";
