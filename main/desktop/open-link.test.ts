import { expect, test, vi } from "vitest";

const app = vi.hoisted(() => ({ emit: (_event: string, ..._args: unknown[]): unknown => false }));
vi.mock("electron", async () => {
  const { EventEmitter } = await import("node:events");
  return { app: Object.assign(app, new EventEmitter(), EventEmitter.prototype) };
});
const { collectLinks } = await import("./desktop-host.ts");
const { linkOpener } = await import("./app-pages.ts");

function opener() {
  const done: string[] = [];
  const window = {
    async loadURL(url: string): Promise<void> {
      done.push(url);
      throw new Error("another address was loaded meanwhile");
    },
  };
  return { done, open: linkOpener(window, () => done.push("show")) };
}

test("a link shows the window, at the place it names", () => {
  const { done, open } = opener();
  open("consentry://open/activity");
  expect(done).toEqual(["show", "consentry://app/index.html#/activity"]);
});

test.each([null, "consentry://open/settings?hub=evil", "consentry://app/consent.html"])(
  "%j shows the window and loads nothing",
  (link) => {
    const { done, open } = opener();
    open(link);
    expect(done).toEqual(["show"]);
  },
);

test("links and files that macOS passes on before there is a window are kept, the last one counts", () => {
  const links = collectLinks();
  const preventDefault = vi.fn();
  const pass = (link: string) => app.emit("open-url", { preventDefault }, link);
  pass("consentry://open/home");
  pass("consentry://open/agents");
  const { done, open } = opener();
  const over = new AbortController();
  links.follow(open, over.signal);
  pass("consentry://open/activity");
  app.emit("open-file", { preventDefault }, "/home/ada/../evil.consentry");
  over.abort();
  pass("consentry://open/settings");
  expect(done.filter((each) => each !== "show")).toEqual([
    "consentry://app/index.html#/agents",
    "consentry://app/index.html#/activity",
    // Of a file, whichever it is, only where one is imported.
    "consentry://app/index.html#/settings?import",
  ]);
  expect(preventDefault).toHaveBeenCalledTimes(5);
});
