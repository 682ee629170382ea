import { useMemo } from "react";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import { useHost, useShown } from "../host-context.tsx";
import type { FolderHelp } from "./folder-field.tsx";
import type { CompleteFolder } from "./path-field.tsx";
import { pickedFolder } from "./picked-folder.ts";

export const folderCompletion =
  (bridge: ClientBridge): CompleteFolder =>
  (text) =>
    bridge.call("folders.complete", { text });

/** How the main window's host helps to find a folder. */
export function useFolderHelp(): FolderHelp {
  const { bridge } = useHost();
  const hasPicker = useShown((shown) => shown.snapshot?.folder_picker === true);
  return useMemo(
    () =>
      hasPicker
        ? { kind: "picks", pick: (startAt) => pickedFolder(bridge, startAt) }
        : { kind: "completes", complete: folderCompletion(bridge) },
    [bridge, hasPicker],
  );
}
