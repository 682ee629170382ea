import type { AppConnections } from "../../apps/app-connections.ts";

/**
 * Takes our entries out of other programs' settings, as far as they can be changed.
 * @returns the files that still have one
 */
export function disconnectApps(
  apps: Pick<AppConnections, "list" | "change" | "apply">,
): readonly string[] {
  const left: string[] = [];
  for (const { app_id, tools, hook } of apps.list()) {
    for (const part of ["tools", "hook"] as const) {
      const view = part === "tools" ? tools : hook;
      if (view === null || view.state === "not_connected" || view.state === "removed") continue;
      try {
        const wanted = { app_id, part, connect: false };
        apps.apply(wanted, apps.change(wanted).digest);
      } catch {
        left.push(view.file);
      }
    }
  }
  return left;
}
