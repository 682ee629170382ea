import { agentIdIn } from "../../app/contract/agent-link.ts";
import { SCHEME } from "./app-pages.ts";

/** The pages a link can open, by their names in the main window's address. */
export const LINKED_PAGES = [
  "home",
  "conversations",
  "agents",
  "permissions",
  "activity",
  "settings",
] as const;

const IMPORT_PLACE = "#/settings?import";
const PAGE_LINK = /^consentry:(?:\/\/)?open\/([a-z]+)\/?$/;
const AGENT_LINK = /^consentry:(?:\/\/)?(agent\/[0-9A-Za-z_-]+)$/;

/** Whether the system passed this text on as a link; what it says is another question. */
export const isLink = (text: string): boolean => text.startsWith(`${SCHEME}:`);

/**
 * Where in the main window a link leads, as the fragment of its address: to a page, to the import of a
 * file that is still to be chosen, or to an agent's id in the field from which the person may look for
 * it. Null where it leads nowhere.
 *
 * Any web page and any program can open a link. So it can name a page or an id and nothing else: no hub,
 * no permission, no answer, no call, and nothing is asked of the hub before the person says so.
 */
export function linkedPlace(link: string): string | null {
  const page = PAGE_LINK.exec(link)?.[1];
  if (page === "import") return IMPORT_PLACE;
  const known = LINKED_PAGES.find((name) => name === page);
  if (known !== undefined) return `#/${known}`;
  const agent = AGENT_LINK.exec(link)?.[1];
  const id = agent === undefined ? null : agentIdIn(`${SCHEME}:${agent}`);
  return id === null ? null : `#/agents?add=${id}`;
}
