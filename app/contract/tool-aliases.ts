/** Other names that manifests give tools of the catalogue. */
export const TOOL_ALIASES: ReadonlyMap<string, string> = new Map([["fetch_web_page", "fetch_url"]]);

/** The catalogue's own name for a tool that goes by two; any other name as it is. */
export const ownToolName = (toolName: string): string => TOOL_ALIASES.get(toolName) ?? toolName;
