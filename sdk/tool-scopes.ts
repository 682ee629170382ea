import { isJsonObject, type JsonValue, ownValue } from "../app/contract/json.ts";
import type { Manifest } from "../app/contract/manifest.ts";
import { PRESET_SCOPES } from "../app/contract/scopes.ts";
import { reconnectDelayMs } from "../app/protocol/v1/frames.ts";
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

export const toolScopes = (manifest: Manifest): ToolScopes =>
  scopesOf(
    manifest.tools.map((tool) => [tool.name, tool.permission_scope]),
    manifest.permission_scopes.filter(({ sensitivity }) => sensitivity === "low"),
  );

function scopesOf(
  tools: readonly (readonly [name: string, scope: string])[],
  lows: readonly { readonly id: string }[],
): ToolScopes {
  const silent = new Set(
    lows.flatMap(({ id }) => ((PRESET_SCOPES.get(id) ?? "low") === "low" ? [id] : [])),
  );
  return new Map(tools.map(([name, id]) => [name, { id, asks: !silent.has(id) }]));
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
    const scopes = answer.kind === "data" ? readToolScopes(answer.data) : undefined;
    if (scopes !== undefined) return scopes;
    await pause(ports.clock, reconnectDelayMs(attempt, ports.clock.random()), signal);
  }
  throw signal.reason;
}

function readToolScopes(data: unknown): ToolScopes | undefined {
  const manifest = isJsonObject(data) ? ownValue(data, "capability_manifest") : undefined;
  if (manifest === undefined || !isJsonObject(manifest)) return undefined;
  const tools = ownValue(manifest, "tools");
  const declared = ownValue(manifest, "permission_scopes");
  if (!Array.isArray(tools)) return undefined;
  const scopes: [string, string][] = [];
  for (const tool of tools) {
    if (!isJsonObject(tool)) return undefined;
    const { name, permission_scope: scope } = tool;
    if (typeof name !== "string" || typeof scope !== "string") return undefined;
    scopes.push([name, scope]);
  }
  const lows = Array.isArray(declared) ? declared.flatMap(lowScope) : [];
  return scopesOf(scopes, lows);
}

const lowScope = (scope: JsonValue): readonly { readonly id: string }[] =>
  isJsonObject(scope) && scope.sensitivity === "low" && typeof scope.id === "string"
    ? [{ id: scope.id }]
    : [];
