import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumLaunchOptions } from "../../e2e/chromium.ts";

/**
 * Runs in the page. Reports each number of cards once it has been painted, and each key once its
 * effect has: a message sent in an animation frame's callback is delivered after that frame was
 * drawn.
 */
const WATCH = `
  const painted = (tell) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => tell();
    port2.postMessage(null);
  });
  const count = (id) => document.querySelectorAll('[data-testid="' + id + '"]').length;
  const cards = () => Math.max(count("consent-card"), count("waiting-row"), count("consent-tick"));
  let known = 0;
  new MutationObserver(() => {
    const now = cards();
    if (now === known) return;
    known = now;
    painted(() => benchCards(now));
  }).observe(document, { childList: true, subtree: true });
  addEventListener("keydown", () => painted(() => benchKey()), { capture: true });
`;

/** The program's page in Chromium, opened as in the end-to-end tests. */
export class WatchedPage {
  readonly page: Page;
  readonly #browser: Browser;
  #cards = 0;
  /** The highest number that was ever painted. */
  most = 0;
  readonly #hearing = new Set<() => void>();
  #key: () => void = () => {};

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.page = page;
  }

  static async open(ui: string): Promise<WatchedPage> {
    const browser = await chromium.launch(await chromiumLaunchOptions());
    const context = await browser.newContext({
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const watched = new WatchedPage(browser, await context.newPage());
    const { page } = watched;
    await page.exposeFunction("benchCards", (count: number) => watched.#count(count));
    await page.exposeFunction("benchKey", () => watched.#key());
    await page.addInitScript(WATCH);
    await page.goto(ui);
    return watched;
  }

  /** Resolves once this many cards are painted. */
  async cards(count: number): Promise<void> {
    while (this.#cards !== count) {
      await new Promise<void>((resolve) => this.#hearing.add(resolve));
    }
  }

  /** Resolves once the empty slots of removed cards have closed up. */
  async placesClosed(): Promise<void> {
    await this.page.locator(".consent-layer").waitFor({ state: "detached" });
  }

  /** Milliseconds from pressing Tab until the response is painted. */
  async keyAnswered(): Promise<number> {
    const answered = new Promise<void>((resolve) => {
      this.#key = resolve;
    });
    const began = performance.now();
    await this.page.keyboard.down("Tab");
    await answered;
    const took = performance.now() - began;
    await this.page.keyboard.up("Tab");
    return took;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  #count(count: number): void {
    this.#cards = count;
    this.most = Math.max(this.most, count);
    const hearing = [...this.#hearing];
    this.#hearing.clear();
    for (const hear of hearing) hear();
  }
}
