/** Other names that manifests give tools of the catalogue. */
export const TOOL_ALIASES: ReadonlyMap<string, string> = new Map([["fetch_web_page", "fetch_url"]]);

/** The catalogue's name for an alias; any other name unchanged. */
export const ownToolName = (toolName: string): string => TOOL_ALIASES.get(toolName) ?? toolName;
