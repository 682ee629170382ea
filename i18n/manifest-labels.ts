import { LOCALES, type LocaleName } from "./languages.ts";

/** Only the id, where nothing else is known. */
export interface ScopeText {
  readonly id: string;
  readonly label_i18n_key?: string;
  readonly label_fallback?: string | null;
}

export interface ToolText {
  readonly tool_name: string;
  readonly description_i18n_key: string;
  readonly description_fallback: string | null;
}

/**
 * contract §5: translation of the key → `*_fallback` → the id. Our own text wins for scopes and
 * tools of the catalogue. The result may be agent-written: show it as `VisibleText`.
 */
export const scopeLabel = (language: LocaleName, scope: ScopeText): string =>
  ownScopeLabel(language, scope.id) ??
  agentText(language, scope.label_i18n_key ?? "") ??
  (scope.label_fallback || scope.id);

/** Our own name of a scope of the catalogue; null for any other. */
export const ownScopeLabel = (language: LocaleName, scopeId: string): string | null =>
  ownText(language, "scopes", scopeId, "label");

/** Whether a label says no more than our own in one of the languages. */
export const isOwnScopeLabel = (scopeId: string, label: string): boolean =>
  Object.keys(LOCALES).some((name) => ownScopeLabel(name as LocaleName, scopeId) === label);

/**
 * Our own sentence about a scope of the catalogue; null for any other.
 * @param limited whether our limits, such as folders, hold for the agent that asks for it
 */
export const scopeDescription = (
  language: LocaleName,
  scopeId: string,
  limited: boolean,
): string | null =>
  (limited ? null : ownText(language, "scopes", scopeId, "unlimited")) ??
  ownText(language, "scopes", scopeId, "description");

/** A tool in plain language; the bare name for one that the catalogue does not have. */
export const toolLabel = (language: LocaleName, toolName: string): string =>
  ownText(language, "tools", toolName, "label") ?? toolName;

/** What the tool does, by the same rule as `scopeLabel`; null when nobody says. */
export const toolDescription = (language: LocaleName, tool: ToolText): string | null =>
  ownText(language, "tools", tool.tool_name, "description") ??
  agentText(language, tool.description_i18n_key) ??
  (tool.description_fallback || null);

function ownText(
  language: LocaleName,
  table: "scopes" | "tools",
  id: string,
  field: "label" | "description" | "unlimited",
): string | null {
  return textAt(LOCALES[language], [table, id, field]);
}

/**
 * Keys written by agents reach the texts of scopes and tools, in the form that the platform's documents
 * use (`agent.scopes.network_http.label`, `agent.tools.fetch_url.desc`), and no other text: an agent must
 * not be able to use the program's own sentences.
 */
function agentText(language: LocaleName, key: string): string | null {
  const path = key.replace(/^agent\./, "");
  const [, domain, action, field] = SCOPE_KEY.exec(path) ?? [];
  if (field === "label" || field === "description") {
    return ownText(language, "scopes", `${domain}:${action}`, field);
  }
  const tool = TOOL_KEY.exec(path)?.[1];
  if (tool === undefined) return null;
  return ownText(language, "tools", DOCUMENTED_TOOLS.get(tool) ?? tool, "description");
}

const SCOPE_KEY = /^scopes?\.([a-z]+)_([a-z]+)\.(label|description)$/;
const TOOL_KEY = /^(?:tools|cap)\.([a-z0-9_]+)\.desc(?:ription)?$/;

/** Tools that the platform's documents abbreviate in their keys. */
const DOCUMENTED_TOOLS: ReadonlyMap<string, string> = new Map([["fetch_web", "fetch_web_page"]]);

function textAt(table: unknown, path: readonly string[]): string | null {
  let at: unknown = table;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return null;
    at = (at as Readonly<Record<string, unknown>>)[step];
  }
  return typeof at === "string" ? at : null;
}
