import {
  AGENT_WORDS_MAX,
  AGENT_WORDS_TOOLS,
  type AgentWords,
  type GrantView,
  type ScopeView,
} from "../../../app/bridge/agent-views.ts";
import { contractFor } from "../../../app/contract/agent-catalogue.ts";
import {
  type Manifest,
  type ManifestScope,
  type ManifestTool,
  manifestScope,
} from "../../../app/contract/manifest.ts";
import { highestSensitivity } from "../../../app/contract/scopes.ts";
import { effectiveSensitivity } from "../../../app/execution/examine-call.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { shortened } from "../../tools/platform/notification-fold.ts";
import type { Marked } from "./breaking-marks.ts";

/** A scope as the person sees it: at the highest level any of its tools will be treated at. */
export function scopeView(manifest: Manifest, scope: ManifestScope): ScopeView {
  const tools = manifest.tools.filter((tool) => tool.permission_scope === scope.id);
  const levels = tools.map((tool) => effectiveSensitivity(scope, contractFor(tool.name, scope.id)));
  return {
    id: scope.id,
    label_i18n_key: scope.label_i18n_key,
    label_fallback: scope.label_fallback ?? null,
    sensitivity: highestSensitivity(effectiveSensitivity(scope, undefined), ...levels),
    tools: tools.map((tool) => tool.name),
    managed: null,
    needed: tools.some((tool) => tool.required === true),
    said: agentWords(scope, tools),
  };
}

/** Every scope the manifest asks for, with what the person has said about it. */
export const grantViews = (
  { manifest, reviewed_manifest, grants }: KnownAgent,
  marked: readonly Marked[],
): readonly GrantView[] =>
  manifest.permission_scopes.map((scope) => {
    const before = manifestScope(reviewed_manifest, scope.id)?.sensitivity;
    const after = scope.sensitivity;
    const state = grants.get(scope.id)?.state ?? "never_granted";
    const own = state === "awaiting_reconsent" ? marked : [];
    return {
      scope: scopeView(manifest, scope),
      state,
      declared: before === undefined || before === after ? null : { before, after },
      reasons: own
        .filter((each) => each.scope === scope.id)
        .map(({ kind, tool }) => ({ kind, tool })),
    };
  });

/** What the agent says of this permission and of these of its tools. */
export function agentWords(
  scope: ManifestScope | undefined,
  tools: readonly ManifestTool[],
): AgentWords {
  const said = tools.flatMap(({ name, description_fallback }) => {
    const words = cut(description_fallback);
    // A name that is merely repeated describes nothing; a permission's neither.
    return words === null || words === name ? [] : [{ name, words }];
  });
  const label = cut(scope?.label_fallback);
  return {
    label: label === scope?.id ? null : label,
    description: cut(scope?.description_fallback),
    tools: said.slice(0, AGENT_WORDS_TOOLS),
    more: Math.max(0, said.length - AGENT_WORDS_TOOLS),
  };
}

function cut(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : shortened(trimmed, AGENT_WORDS_MAX);
}
