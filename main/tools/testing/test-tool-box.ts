import type { ToolBox } from "../../../app/execution/ports.ts";
import { createI18n } from "../../../i18n/index.ts";
import { foldNotifications } from "../platform/notification-fold.ts";
import { NO_SERVICES } from "../platform/platform-services.ts";
import { createToolBox, type ToolBoxParts } from "../toolbox.ts";

/** For tests: every tool, on a machine that offers no services unless `parts` has some. */
export const testToolBox = (parts: Pick<ToolBoxParts, "files"> & Partial<ToolBoxParts>): ToolBox =>
  createToolBox({
    platform: NO_SERVICES,
    fetch: { ownPorts: () => [] },
    command: { ownFolders: [import.meta.dirname] },
    folding: foldNotifications(() => 0),
    texts: () => createI18n("en").t,
    wanted: () => true,
    label: () => null,
    ...parts,
  });
