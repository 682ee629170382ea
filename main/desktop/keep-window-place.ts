import { type BrowserWindow, screen } from "electron";
import type { HostMemory } from "../client/host-port.ts";
import { fitToScreens, keptPlace, type WindowPlace } from "./window-place.ts";

const NAME = "main_window";
/** A window that is dragged tells of every step; it has come to rest when this long nothing came. */
const AT_REST_MS = 500;

/** Where the main window was, on the screens there are now. */
export function lastWindowPlace(memory: HostMemory): WindowPlace | null {
  const kept = keptPlace(memory.value(NAME));
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  return kept && fitToScreens(kept, areas);
}

/** Keeps where the window is. @returns ends that; resolves once the last place is kept */
export function keepWindowPlace(window: BrowserWindow, memory: HostMemory): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const keep = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const { x, y, width, height } = window.getNormalBounds();
    const place: WindowPlace = { x, y, width, height, maximized: window.isMaximized() };
    // A place that could not be kept costs a click, and nothing more.
    await memory.putValue(NAME, JSON.stringify(place)).catch(() => {});
  };
  const moved = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void keep(), AT_REST_MS);
  };
  window.on("move", moved);
  window.on("resize", moved);
  window.on("maximize", moved);
  window.on("unmaximize", moved);
  return async () => {
    if (timer !== undefined) await keep();
  };
}
