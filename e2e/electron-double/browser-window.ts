import { EventEmitter } from "node:events";
import { preventable } from "./preventable.ts";
import { record } from "./record.ts";
import type { Session } from "./session.ts";
import { WebContents } from "./web-contents.ts";

interface WindowOptions {
  readonly width: number;
  readonly height: number;
  readonly x?: number;
  readonly y?: number;
  readonly show?: boolean;
  readonly alwaysOnTop?: boolean;
  readonly paintWhenInitiallyHidden?: boolean;
  readonly webPreferences: { readonly session: Session; readonly preload: string };
}

interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const windows = new Map<number, BrowserWindow>();

export const allWindows = (): readonly BrowserWindow[] => [...windows.values()];

export class BrowserWindow extends EventEmitter {
  readonly webContents: WebContents;
  readonly #options: WindowOptions;
  #visible: boolean;
  #focused = false;
  #minimized = false;
  #destroyed = false;
  /** Electron lets a page that was never shown believe it is visible, unless told otherwise. */
  #believesVisible: boolean;
  #bounds: Bounds;
  #maximized = false;

  constructor(options: WindowOptions) {
    super();
    this.#options = options;
    this.#visible = options.show !== false;
    this.#believesVisible = this.#visible || options.paintWhenInitiallyHidden !== false;
    const { x = 0, y = 0, width, height } = options;
    this.#bounds = { x, y, width, height };
    const { session, preload } = options.webPreferences;
    this.webContents = new WebContents({
      session,
      preload,
      size: { width, height },
      appearance: () => ({ visible: this.#believesVisible, focused: this.#focused }),
    });
    windows.set(this.webContents.id, this);
    const { session: _session, ...webPreferences } = options.webPreferences;
    this.#record("new BrowserWindow", { ...options, webPreferences });
  }

  static getFocusedWindow(): BrowserWindow | null {
    return [...windows.values()].find((window) => window.isFocused()) ?? null;
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.load(url);
    if (this.#options.paintWhenInitiallyHidden !== false) this.emit("ready-to-show");
  }

  show(): void {
    this.#record("show");
    this.#become({ visible: true });
    this.#takeFocus();
  }

  showInactive(): void {
    this.#record("showInactive");
    this.#become({ visible: true });
  }

  hide(): void {
    if (!this.#visible) return;
    this.#record("hide");
    this.#become({ visible: false, focused: false });
  }

  focus(): void {
    this.#record("focus");
    this.#takeFocus();
  }

  /** What the person does with the window's own button. */
  close(): void {
    const event = preventable();
    this.emit("close", event);
    if (!event.defaultPrevented) this.destroy();
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#record("destroy");
    windows.delete(this.webContents.id);
    this.webContents.close().catch(() => {});
    this.emit("closed");
  }

  /** What the person does with the window's own button, too. It stays a window that is shown. */
  minimize(): void {
    this.#minimized = true;
    this.#become({ focused: false });
    this.emit("minimize");
  }

  restore(): void {
    this.#minimized = false;
    this.#become({});
    this.emit("restore");
  }

  isMinimized(): boolean {
    return this.#minimized;
  }

  isVisible(): boolean {
    return this.#visible;
  }

  isFocused(): boolean {
    return this.#focused;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  getBounds(): Bounds {
    return this.#bounds;
  }

  getNormalBounds(): Bounds {
    return this.#bounds;
  }

  isMaximized(): boolean {
    return this.#maximized;
  }

  maximize(): void {
    this.#record("maximize");
    this.#maximized = true;
    this.emit("maximize");
  }

  setPosition(x: number, y: number): void {
    record({ what: "setPosition", window: this.webContents.id, detail: [x, y] });
    this.setBounds({ ...this.#bounds, x, y });
  }

  /** Also what the person does with the window's frame. The page keeps its size. */
  setBounds(bounds: Bounds): void {
    this.#bounds = bounds;
    this.emit("move");
    this.emit("resize");
  }

  flashFrame(on: boolean): void {
    this.#record("flashFrame", on);
  }

  #takeFocus(): void {
    for (const other of windows.values()) if (other !== this) other.#become({ focused: false });
    this.#become({ focused: true });
  }

  #become(next: { readonly visible?: boolean; readonly focused?: boolean }): void {
    const wasFocused = this.#focused;
    const wasVisible = this.#visible;
    this.#visible = next.visible ?? this.#visible;
    this.#focused = next.focused ?? this.#focused;
    this.#believesVisible = this.#visible && !this.#minimized;
    this.webContents.appear({ visible: this.#believesVisible, focused: this.#focused });
    if (this.#visible !== wasVisible) this.emit(this.#visible ? "show" : "hide");
    if (this.#focused !== wasFocused) this.emit(this.#focused ? "focus" : "blur");
  }

  #record(what: string, detail?: unknown): void {
    record({ what, window: this.webContents.id, detail });
  }
}
