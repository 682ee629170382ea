import { LOCALES, type LocaleName } from "./languages.ts";

export interface ScopeText {
  readonly id: string;
  readonly label_i18n_key: string;
  readonly label_fallback: string | null;
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
  ownText(language, "scopes", scope.id, "label") ??
  agentText(language, scope.label_i18n_key) ??
  (scope.label_fallback || scope.id);

/** Our own sentence about a scope of the catalogue; null for any other. */
export const scopeDescription = (language: LocaleName, scopeId: string): string | null =>
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
  field: "label" | "description",
): string | null {
  return textAt(LOCALES[language], [table, id, field]);
}

/**
 * Keys written by agents are looked up below `agent`, or name a scope or tool in the way the platform's
 * documents do. They reach no other text: an agent must not be able to use the program's own sentences.
 */
function agentText(language: LocaleName, key: string): string | null {
  const path = key.replace(/^agent\./, "");
  return textAt(LOCALES[language], ["agent", ...path.split(".")]) ?? documentedText(language, path);
}

/** `agent.scopes.network_http.label`, `agent.tools.fetch_url.desc` and the like. */
function documentedText(language: LocaleName, path: string): string | null {
  const scope = /^scopes?\.([a-z]+)_([a-z]+)\.(label|description)$/.exec(path);
  if (scope !== null)
    return textAt(LOCALES[language], ["scopes", `${scope[1]}:${scope[2]}`, `${scope[3]}`]);
  const tool = /^(?:tools|cap)\.([a-z0-9_]+)\.desc(?:ription)?$/.exec(path)?.[1];
  if (tool === undefined) return null;
  return ownText(language, "tools", DOCUMENTED_TOOLS.get(tool) ?? tool, "description");
}

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
