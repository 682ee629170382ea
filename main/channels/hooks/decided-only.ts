import type { CatalogueEntry } from "../../../app/contract/catalogue.ts";
import { folderAbove } from "../../../app/contract/folder-path.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { Preview, PreviewContext, Tool, ToolBox } from "../../../app/execution/ports.ts";

const NOTHING: Preview = { shown: null, seen: null };

/** What a call is answered with that the agent now carries out. */
const DECIDED_HERE = { carried_out_by: "agent" } as const;

/**
 * For agents that run their own tools and ask here first. A call is checked, shown, decided and logged
 * like any other, and then nothing runs. The agent's own folders and limits hold, not ours.
 */
export const decidedOnly = (ours: ToolBox): ToolBox => ({
  tool(entry) {
    const tool = ours.tool(entry);
    return tool && onlyDecided(entry, tool);
  },
});

const onlyDecided = ({ name }: CatalogueEntry, { preview }: Tool): Tool => ({
  decidedOnly: true,
  available: () => true,
  preflight: () => null,
  // What a program would be kept from depends on who starts it, so only files are previewed.
  ...(preview && (name === "write_file" || name === "edit_file")
    ? { preview: (args, context) => previewed(preview, args, context) }
    : {}),
  run: async () => DECIDED_HERE,
});

/** A file that cannot be read here may still be changed by the agent: then its arguments are shown. */
async function previewed(
  preview: NonNullable<Tool["preview"]>,
  args: JsonObject,
  context: PreviewContext,
): Promise<Preview> {
  const folder = typeof args.path === "string" ? folderAbove(args.path) : null;
  if (folder === null) return NOTHING;
  const anywhere = { root_id: "", path: folder, access: "read_write", added_at: 0 } as const;
  try {
    return await preview(args, { ...context, roots: [anywhere] });
  } catch {
    return NOTHING;
  }
}
