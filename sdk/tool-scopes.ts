import { isJsonObject, ownValue } from "../app/contract/json.ts";
import type { Manifest } from "../app/contract/manifest.ts";
import { reconnectDelayMs } from "../app/protocol/v1/frames.ts";
import { AgentError } from "./agent-error.ts";
import { askHub, type HubPorts } from "./hub-request.ts";
import { pause } from "./stop-signal.ts";

/** Tool name → the `permission_scope` its call must name (contract §2.3). */
export type ToolScopes = ReadonlyMap<string, string>;

export const toolScopes = (manifest: Manifest): ToolScopes =>
  new Map(manifest.tools.map((tool) => [tool.name, tool.permission_scope]));

const ANSWER_LIMIT_MS = 10_000;

/**
 * Reads them from the manifest that the hub has; tries again while the hub cannot be reached.
 * @throws AgentError `invalid_token`, `manifest_unavailable`, `aborted`
 */
export async function fetchToolScopes(
  ports: HubPorts,
  agentId: string,
  token: string,
  signal: AbortSignal,
): Promise<ToolScopes> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const answer = await askHub(ports, {
      method: "GET",
      path: `/agents/${encodeURIComponent(agentId)}`,
      token,
      limitMs: ANSWER_LIMIT_MS,
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
  throw new AgentError("aborted");
}

function readToolScopes(data: unknown): ToolScopes | undefined {
  const manifest = isJsonObject(data) ? ownValue(data, "capability_manifest") : undefined;
  const tools =
    manifest !== undefined && isJsonObject(manifest) ? ownValue(manifest, "tools") : undefined;
  if (!Array.isArray(tools)) return undefined;
  const scopes = new Map<string, string>();
  for (const tool of tools) {
    if (!isJsonObject(tool)) return undefined;
    const { name, permission_scope: scope } = tool;
    if (typeof name !== "string" || typeof scope !== "string") return undefined;
    scopes.set(name, scope);
  }
  return scopes;
}
