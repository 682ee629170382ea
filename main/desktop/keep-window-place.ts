import { type BrowserWindow, screen } from "electron";
import type { HostMemory } from "../client/host-port.ts";
import { fitToScreens, keptPlace, type WindowPlace } from "./window-place.ts";

const NAME = "main_window";
/** Dragging a window sends an event for each step; without one for this long, it is at rest. */
const AT_REST_MS = 500;

/** Where the main window last was, adjusted to the current screens. */
export function lastWindowPlace(memory: HostMemory): WindowPlace | null {
  const kept = keptPlace(memory.value(NAME));
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  return kept && fitToScreens(kept, areas);
}

/** Stores the window's position. @returns stops that; resolves once the last position is stored */
export function keepWindowPlace(window: BrowserWindow, memory: HostMemory): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const keep = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const { x, y, width, height } = window.getNormalBounds();
    const place: WindowPlace = { x, y, width, height, maximized: window.isMaximized() };
    // Losing a position only costs the person a click.
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
