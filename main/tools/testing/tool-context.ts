import { type Held, type ToolContext, toolFailure } from "../../../app/execution/ports.ts";
import type { Root } from "../../../app/grants/grant.ts";

/** A root as the person would have given it, named by its path. */
export const rootAt = (path: string, access: Root["access"] = "read"): Root => ({
  root_id: path,
  path,
  access,
  added_at: 0,
});

/** What an agent was given: the folders at these paths, and no hosts. */
export const holding = (...roots: readonly (string | Root)[]): Held => ({
  roots: roots.map((root) => (typeof root === "string" ? rootAt(root) : root)),
  hosts: [],
});

/** A context in which nothing was given, shown or stopped, except for `more`. */
export const toolContext = (more: Partial<ToolContext> = {}): ToolContext => ({
  call_id: "call",
  agent_id: "a",
  agent_name: "Agent",
  conversation_id: "c",
  roots: [],
  hosts: [],
  whole_scope: false,
  seen: null,
  progress: () => {},
  signal: new AbortController().signal,
  ...more,
});

/** The error word that `work` fails with; anything but a ToolFailure is thrown on. */
export async function failureOf(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === "function" ? work() : work);
  } catch (error) {
    if (toolFailure.is(error)) return error.code;
    throw error;
  }
  return "no failure";
}
