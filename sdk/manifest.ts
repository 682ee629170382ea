import Type from "typebox";
import { guardOf } from "../app/contract/checked.ts";
import type { Manifest } from "../app/contract/manifest.ts";
import { PRESET_SCOPES } from "../app/contract/scopes.ts";
import { parseStrictJson, strictJsonError } from "../app/contract/strict-json.ts";
import { reconnectDelayMs } from "../app/protocol/link/connection.ts";
import { AgentError, type ManifestErrorCode, type ManifestRemark } from "./errors.ts";
import { askHub, type HubPorts, pause } from "./hub-client.ts";
import type { AgentOptions } from "./options.ts";

const utf8 = new TextEncoder();

const isRemark = guardOf(
  Type.Object({
    pointer: Type.String(),
    code: Type.String(),
    detail: Type.Optional(Type.String()),
  }),
);

/** The remarks in a hub's answer; none if it sent none. */
export const remarksIn = (list: unknown): readonly ManifestRemark[] =>
  Array.isArray(list) ? list.filter(isRemark) : [];

/** Why the hub could not read this manifest at all; empty: it can. */
export function unreadable(manifest: unknown): readonly ManifestRemark[] {
  try {
    const bytes = utf8.encode(JSON.stringify(manifest));
    parseStrictJson(bytes, bytes.length);
    return [];
  } catch (error) {
    const detail = strictJsonError.is(error) ? { detail: error.code } : {};
    return [{ pointer: "", code: "not_strict_json", ...detail }];
  }
}

const REFUSALS: Readonly<Record<string, ManifestErrorCode>> = {
  MANIFEST_INVALID: "manifest_invalid",
  MANIFEST_TOO_LARGE: "manifest_invalid",
  UNAUTHENTICATED: "invalid_token",
  AGENT_REMOVED: "agent_removed",
};

export interface ManifestUpdate {
  readonly capability_manifest_version: number;
  /** Lowercase hex SHA-256 of the manifest's RFC 8785 form. */
  readonly capability_manifest_hash: string;
  /** What needs the person's consent again; until they answer, these scopes count as not granted. */
  readonly breaking_changes: readonly BreakingChange[];
  readonly warnings: readonly ManifestRemark[];
}

export interface BreakingChange {
  /** RFC 6901 pointer into the new manifest (into the old one for something removed). */
  readonly pointer: string;
  /** One of the kinds in docs/protocol.md; a newer hub may have others. */
  readonly kind: string;
  readonly scope: string;
}

const isAccepted = guardOf(
  Type.Object({
    capability_manifest_version: Type.Integer(),
    capability_manifest_hash: Type.String(),
    breaking_changes: Type.Array(
      Type.Object({ pointer: Type.String(), kind: Type.String(), scope: Type.String() }),
    ),
    warnings: Type.Optional(Type.Unknown()),
  }),
);

/** @throws AgentError a ManifestErrorCode, `invalid_base_url` */
export async function updateManifest(
  ports: HubPorts,
  { agentId, token }: { readonly agentId: string; readonly token: string },
  manifest: Manifest,
): Promise<ManifestUpdate> {
  const problems = unreadable(manifest);
  if (problems.length > 0) throw new AgentError("manifest_invalid", { problems });
  const answer = await askHub(ports, {
    method: "PATCH",
    path: `/agents/${encodeURIComponent(agentId)}`,
    token,
    body: manifest,
  });
  if (answer.kind === "refused") {
    const code = REFUSALS[answer.code] ?? "hub_refused";
    const problems = remarksIn(answer.params.problems);
    throw new AgentError(code, { problems, hubCode: answer.code });
  }
  if (answer.kind !== "data" || !isAccepted(answer.data)) {
    throw new AgentError("hub_unreachable", { value: ports.baseUrl });
  }
  const { capability_manifest_version, capability_manifest_hash, breaking_changes } = answer.data;
  const warnings = remarksIn(answer.data.warnings);
  return { capability_manifest_version, capability_manifest_hash, breaking_changes, warnings };
}

export interface ToolScope {
  /** The `permission_scope` that a call must name (contract §2.3). */
  readonly id: string;
  /** Whether the person may be asked: unless it is declared as low, and not known to be more. */
  readonly asks: boolean;
}

/** By the tool's name. */
export type ToolScopes = ReadonlyMap<string, ToolScope>;

const Declared = Type.Object({
  tools: Type.Immutable(
    Type.Array(Type.Object({ name: Type.String(), permission_scope: Type.String() })),
  ),
  permission_scopes: Type.Immutable(
    Type.Array(Type.Object({ id: Type.String(), sensitivity: Type.String() })),
  ),
});
const isAgent = guardOf(Type.Object({ capability_manifest: Declared }));

export function toolScopes({
  tools,
  permission_scopes,
}: {
  readonly tools: readonly { readonly name: string; readonly permission_scope: string }[];
  readonly permission_scopes: readonly { readonly id: string; readonly sensitivity: string }[];
}): ToolScopes {
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
