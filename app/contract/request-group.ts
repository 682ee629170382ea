import type { ConsentRequest } from "./consent-request.ts";
import { canonicalJson } from "./digest.ts";
import { callTarget } from "./target/call-target.ts";
import type { TargetedCall } from "./target/target.ts";
import { unsaidArguments } from "./target/unsaid-arguments.ts";

export const GROUP_ANSWERS = ["deny", "allow_once"] as const;
export type GroupAnswer = (typeof GROUP_ANSWERS)[number];

/** A request, and what its line in a group is made from. */
export type GroupedRequest = ConsentRequest & Pick<TargetedCall, "folders">;

/** Requests of one agent for one tool, in the order they came; two at least. */
export interface RequestGroup<R> {
  readonly agent_id: string;
  readonly tool_name: string;
  readonly requests: readonly R[];
}

/** The waiting requests that are alike. */
export function requestGroups<R extends Pick<ConsentRequest, "agent_id" | "tool_name">>(
  waiting: readonly R[],
): readonly RequestGroup<R>[] {
  const groups = Map.groupBy(waiting, ({ agent_id, tool_name }) => `${agent_id} ${tool_name}`);
  return [...groups.values()].flatMap((requests) => {
    const [first] = requests;
    if (first === undefined || requests.length < 2) return [];
    return [{ agent_id: first.agent_id, tool_name: first.tool_name, requests }];
  });
}

/**
 * Whether one press may allow these together (contract §3): medium reading of one agent in the same
 * folder or at the same host, of which a line says everything, and which gives nothing else away.
 */
export function mayAllowTogether(requests: readonly GroupedRequest[]): boolean {
  const [first] = requests;
  if (first === undefined || first.subject === null || first.subject.kind === "scope") return false;
  const subject = canonicalJson(first.subject);
  return requests.every(
    (each) =>
      each.agent_id === first.agent_id &&
      each.tool_name === first.tool_name &&
      each.sensitivity === "medium" &&
      each.subject !== null &&
      canonicalJson(each.subject) === subject &&
      each.root_wanted === null &&
      each.host_wanted === null &&
      each.preview === null &&
      each.answers.includes("allow_once") &&
      saysAll(each),
  );
}

function saysAll(request: GroupedRequest): boolean {
  const target = callTarget(request);
  const unsaid = unsaidArguments(request, target);
  return target.kind !== "other" && target.marks.length === 0 && Object.keys(unsaid).length === 0;
}
