import Type from "typebox";
import { guardOf } from "../app/contract/checked.ts";
import { PRESET_SCOPES } from "../app/contract/scopes.ts";
import { reconnectDelayMs } from "../app/protocol/link/reconnect-delay.ts";
import { AgentError } from "./agent-error.ts";
import type { AgentOptions } from "./agent-options.ts";
import { askHub, type HubPorts } from "./hub-request.ts";
import { pause } from "./stop-signal.ts";

export interface ToolScope {
  /** The `permission_scope` that a call must name (contract §2.3). */
  readonly id: string;
  /** Whether the person may be asked: unless it is declared as low, and not known to be more. */
  readonly asks: boolean;
}

/** By the tool's name. */
export type ToolScopes = ReadonlyMap<string, ToolScope>;

/** What of a manifest they follow from. */
const Declared = Type.Object({
  tools: Type.Immutable(
    Type.Array(Type.Object({ name: Type.String(), permission_scope: Type.String() })),
  ),
  permission_scopes: Type.Immutable(
    Type.Array(Type.Object({ id: Type.String(), sensitivity: Type.String() })),
  ),
});
const isAgent = guardOf(Type.Object({ capability_manifest: Declared }));

export function toolScopes({ tools, permission_scopes }: Type.Static<typeof Declared>): ToolScopes {
  const silent = permission_scopes.filter(
    ({ id, sensitivity }) => sensitivity === "low" && (PRESET_SCOPES.get(id) ?? "low") === "low",
  );
  const silentIds = new Set(silent.map(({ id }) => id));
  return new Map(
    tools.map(({ name, permission_scope: id }) => [name, { id, asks: !silentIds.has(id) }]),
  );
}

/**
 * Without a manifest, they are read from the one that the hub has; tries again while the hub cannot be reached.
 * @throws AgentError `invalid_token`, `manifest_unavailable`; the signal's reason
 */
export async function scopesFor(
  ports: HubPorts,
  { manifest, agentId, token }: Pick<AgentOptions, "manifest" | "agentId" | "token">,
  signal: AbortSignal,
): Promise<ToolScopes> {
  if (manifest !== undefined) return toolScopes(manifest);
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const answer = await askHub(ports, {
      method: "GET",
      path: `/agents/${encodeURIComponent(agentId)}`,
      token,
      signal,
    });
    if (answer.kind === "refused") {
      const wrongToken = answer.code === "UNAUTHENTICATED";
      throw new AgentError(wrongToken ? "invalid_token" : "manifest_unavailable");
    }
    if (answer.kind === "data" && isAgent(answer.data)) {
      return toolScopes(answer.data.capability_manifest);
    }
    await pause(ports.clock, reconnectDelayMs(attempt, ports.clock.random()), signal);
  }
  throw signal.reason;
}
