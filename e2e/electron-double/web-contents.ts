import { EventEmitter } from "node:events";
import { readFile } from "node:fs/promises";
import type { Frame, Page, Route } from "playwright-core";
import { toAppUrl, toPageUrl } from "./addresses.ts";
import { type FrameDouble, invoke } from "./ipc-main.ts";
import { type Appearance, pageScript, type ShimmedWindow } from "./page-shim.ts";
import { preventable } from "./preventable.ts";
import { record } from "./record.ts";
import type { Session } from "./session.ts";
import { stage } from "./stage.ts";

export interface ContentsOptions {
  readonly session: Session;
  /** File of the preload. */
  readonly preload: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly appearance: () => Appearance;
}

type OpenHandler = (details: { readonly url: string }) => { readonly action: "allow" | "deny" };

let lastId = 0;
const frameIds = new WeakMap<Frame, number>();

function frameId(frame: Frame): number {
  const id = frameIds.get(frame) ?? ++lastId;
  frameIds.set(frame, id);
  return id;
}

export class WebContents extends EventEmitter {
  readonly id = ++lastId;
  readonly #options: ContentsOptions;
  readonly #page: Promise<Page>;
  #shown: Page | null = null;
  #onOpen: OpenHandler = () => ({ action: "allow" });
  /** The address `loadURL` is on its way to: the one navigation nobody is asked about. */
  #loading: string | null = null;

  constructor(options: ContentsOptions) {
    super();
    this.#options = options;
    this.#page = this.#open();
    // Whoever awaits the page hears of the failure; nobody may be doing so yet.
    this.#page.catch(() => {});
  }

  get mainFrame(): FrameDouble {
    const frame = this.#shown?.mainFrame();
    return frame === undefined
      ? { url: "", parent: null, frameTreeNodeId: -1 }
      : this.#frameDouble(frame);
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#onOpen = handler;
  }

  /** Of the page as it is now; empty before there is one. */
  url(): string {
    return this.#shown === null ? "" : toAppUrl(this.#shown.url());
  }

  send(channel: string, ...args: unknown[]): void {
    this.#inPage(
      ([name, sent]) => (window as unknown as ShimmedWindow).__electronDoubleDeliver?.(name, sent),
      [channel, args] as const,
    );
  }

  reload(): void {
    this.#page.then((page) => page.reload()).catch(() => {});
  }

  async load(url: string): Promise<void> {
    const page = await this.#page;
    this.#loading = toPageUrl(url);
    await page.goto(this.#loading);
    this.appear(this.#options.appearance());
  }

  appear(appearance: Appearance): void {
    this.#inPage(
      (next) => (window as unknown as ShimmedWindow).__electronDoubleAppear?.(next),
      appearance,
    );
  }

  async close(): Promise<void> {
    const page = await this.#page;
    await page.close();
  }

  /** A page that is gone hears nothing, as in Electron. */
  #inPage<Arg>(run: (arg: Arg) => void, arg: Arg): void {
    // The cast drops Playwright's unboxing of handles, of which there are none here.
    this.#page.then((page) => page.evaluate(run as (arg: unknown) => void, arg)).catch(() => {});
  }

  async #open(): Promise<Page> {
    const { context } = await stage();
    const page = await context.newPage();
    this.#shown = page;
    await page.setViewportSize(this.#options.size);
    await page.exposeBinding(
      "__electronDoubleInvoke",
      ({ frame }, channel: string, args: unknown[]) =>
        invoke({ sender: this, senderFrame: this.#frameDouble(frame) }, channel, args),
    );
    await page.addInitScript(await this.#script());
    await page.route("**/*", (route) => this.#answer(route));
    await page.exposeBinding("__electronDoubleOpen", (_source, url: string) => this.#asked(url));
    await page.exposeBinding("__electronDoubleMedia", ({ frame }, mediaTypes: string[]) => {
      const isMainFrame = frame.parentFrame() === null;
      const asked = { isMainFrame, requestingUrl: toAppUrl(frame.url()), mediaTypes };
      return this.#options.session.allows(this, "media", asked);
    });
    page.on("popup", (popup) => {
      if (this.#asked(popup.url()) === "deny") popup.close().catch(() => {});
    });
    return page;
  }

  async #script(): Promise<string> {
    return pageScript(await readFile(this.#options.preload, "utf8"), this.#options.appearance());
  }

  #frameDouble(frame: Frame): FrameDouble {
    const parent = frame.parentFrame();
    return {
      url: toAppUrl(frame.url()),
      parent: parent === null ? null : this.#frameDouble(parent),
      frameTreeNodeId: frameId(frame),
    };
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const url = toAppUrl(request.url());
    if (this.#isUninvitedNavigation(route)) {
      const event = preventable({ url });
      this.emit("will-navigate", event);
      record({ what: "will-navigate", window: this.id, detail: { url } });
      // An answer without content leaves the page where it is; a failed one would show an error.
      if (event.defaultPrevented) return route.fulfill({ status: 204 });
    }
    const response = await this.#options.session.serve(url, request.method());
    if (response === null) {
      record({ what: "request dropped", window: this.id, detail: { url } });
      return route.abort();
    }
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  }

  #isUninvitedNavigation(route: Route): boolean {
    const request = route.request();
    if (!request.isNavigationRequest() || request.frame().parentFrame() !== null) return false;
    const invited = request.url() === this.#loading;
    this.#loading = null;
    return !invited;
  }

  /** Somebody in the page asks for a new window. */
  #asked(pageUrl: string): "allow" | "deny" {
    const url = toAppUrl(pageUrl);
    const { action } = this.#onOpen({ url });
    record({ what: "window.open", window: this.id, detail: { action, url } });
    return action;
  }
}
