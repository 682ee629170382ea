/** What a window looks like to its page. */
export interface Appearance {
  readonly visible: boolean;
  readonly focused: boolean;
}

/**
 * The script that runs in the page before its own: Electron's renderer side, then the preload.
 * @param preload source of the built preload (CommonJS)
 */
export function pageScript(preload: string, appearance: Appearance): string {
  return `if (window.top === window && location.protocol === "https:") {
    (${rendererSide})(${JSON.stringify(appearance)}, (require) => {
      const module = { exports: {} };
      ((require, module, exports) => {
        ${preload}
      })(require, module, module.exports);
    });
  }`;
}

/** What the shim puts on the page's window for the double to call. */
export interface ShimmedWindow extends Window {
  readonly __electronDoubleInvoke: (channel: string, args: unknown[]) => Promise<unknown>;
  readonly __electronDoubleMedia: (mediaTypes: readonly string[]) => Promise<boolean>;
  readonly __electronDoubleOpen: (url: string) => Promise<unknown>;
  __electronDoubleDeliver?: (channel: string, args: unknown[]) => void;
  __electronDoubleAppear?: (appearance: Appearance) => void;
}

/** Runs in the page: only what is inside the function exists there. */
function rendererSide(first: Appearance, runPreload: (require: unknown) => void): void {
  const page = window as unknown as ShimmedWindow & Record<string, unknown>;
  const listeners = new Map<string, ((event: unknown, ...args: unknown[]) => void)[]>();
  let appearance = first;

  const ipcRenderer = {
    invoke: (channel: string, ...args: unknown[]) => page.__electronDoubleInvoke(channel, args),
    on(channel: string, listener: (event: unknown, ...args: unknown[]) => void) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
  };
  const contextBridge = {
    exposeInMainWorld(key: string, api: object) {
      Object.defineProperty(window, key, { value: Object.freeze(api) });
    },
  };
  page.__electronDoubleDeliver = (channel, args) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, ...args);
  };

  window.open = (url) => {
    void page.__electronDoubleOpen(String(new URL(String(url ?? "about:blank"), location.href)));
    return null;
  };

  const devices = navigator.mediaDevices;
  const getUserMedia = devices.getUserMedia.bind(devices);
  devices.getUserMedia = async (wanted: MediaStreamConstraints = {}) => {
    const types = [wanted.audio ? "audio" : "", wanted.video ? "video" : ""].filter(Boolean);
    if (await page.__electronDoubleMedia(types)) return getUserMedia(wanted);
    throw new DOMException("Permission denied", "NotAllowedError");
  };

  Object.defineProperties(document, {
    visibilityState: { get: () => (appearance.visible ? "visible" : "hidden") },
    hidden: { get: () => !appearance.visible },
    hasFocus: { value: () => appearance.focused },
  });
  page.__electronDoubleAppear = (next) => {
    const before = appearance;
    appearance = next;
    if (before.visible !== next.visible) document.dispatchEvent(new Event("visibilitychange"));
    if (before.focused !== next.focused) {
      window.dispatchEvent(new Event(next.focused ? "focus" : "blur"));
    }
  };

  runPreload((name: string) => {
    if (name !== "electron") throw new Error(`a sandboxed preload cannot require '${name}'`);
    return { contextBridge, ipcRenderer };
  });
}
