import { AsyncLocalStorage } from "node:async_hooks";
import type { CallArgs } from "../../app/bridge/calls.ts";
import type { Events } from "../../app/bridge/events.ts";
import type { ToolFailureWord } from "../../app/contract/codes.ts";
import { type Scheduler, toolFailure, toolUnavailable } from "../../app/execution/ports.ts";
import type { PageHandlers } from "../client/host-port.ts";
import {
  type ClipboardImageService,
  type ClipboardService,
  type LocationService,
  NO_SERVICES,
  type NotificationService,
  type PlatformServices,
} from "../tools/platform/platform-services.ts";

/**
 * How long a page may take to answer, in milliseconds; a sleeping tab must not hold up a tool for
 * longer.
 */
export const PAGE_ANSWER_MS = 10_000;
/** Finding a location takes longer, and the browser may ask the person first. */
const PAGE_LOCATION_MS = 120_000;

type PageRequest = Events["page.request"];

const FAILURES = {
  clipboard: "clipboard_error",
  clipboard_images: "clipboard_error",
  notifications: "notification_error",
  location: "location_error",
} as const satisfies Record<Ability, ToolFailureWord>;

/** A connected page, to which requests can be sent. */
export interface Page {
  send(request: PageRequest): void;
}

export interface PageServices {
  readonly services: PlatformServices;
  readonly handlers: PageHandlers;
  /** Runs `work` as a call of `page`: handlers receive only the arguments. */
  as<T>(page: Page, work: () => T): T;
  /** Whether requests count as seen there. */
  isAt(page: Page): boolean;
  /** The page disconnected: its abilities are gone, and its pending requests fail. */
  left(page: Page): void;
}

interface Waiting {
  readonly page: Page;
  readonly settle: (answer: PageAnswer | null) => void;
}

/**
 * Services that only a page's browser can provide, by the page that last reported its abilities.
 */
export function createPageServices(parts: {
  readonly newId: () => string;
  readonly scheduler: Scheduler;
}): PageServices {
  const speaking = new AsyncLocalStorage<Page>();
  const abilities = new Map<Page, CallArgs<"page.abilities">>();
  const waiting = new Map<string, Waiting>();
  const place = createShownPlace<Page>();

  const able = (what: Ability): Page | undefined =>
    [...abilities].reverse().find(([, each]) => each[what])?.[0];

  /** Only one page is asked: two would both show the notification. */
  function ask(what: Ability, asked: AskedOfPage, signal: AbortSignal): Promise<PageAnswer> {
    const page = able(what);
    if (signal.aborted) return Promise.reject(toolFailure("cancelled"));
    if (page === undefined) return Promise.reject(toolUnavailable("no_provider"));
    const request_id = parts.newId();
    return new Promise((resolve, reject) => {
      const aborted = () => settle(null);
      const limit = what === "location" ? PAGE_LOCATION_MS : PAGE_ANSWER_MS;
      const cancelTimer = parts.scheduler.after(limit, () => settle(null));
      const settle = (answer: PageAnswer | null) => {
        waiting.delete(request_id);
        cancelTimer();
        signal.removeEventListener("abort", aborted);
        if (answer?.ok === true) resolve(answer);
        else reject(toolFailure(signal.aborted ? "cancelled" : (answer?.word ?? FAILURES[what])));
      };
      signal.addEventListener("abort", aborted, { once: true });
      waiting.set(request_id, { page, settle });
      page.send({ ...asked, request_id });
    });
  }

  return {
    services: servicesOverPages(ask, (what) => able(what) !== undefined),
    handlers: {
      answer(answer) {
        const asked = waiting.get(answer.request_id);
        // An answer counts only from the page that was asked.
        if (asked !== undefined && asked.page === speaking.getStore()) asked.settle(answer);
      },
      abilities(reported) {
        const page = speaking.getStore();
        if (page === undefined) return;
        abilities.delete(page);
        abilities.set(page, reported);
      },
      attended({ in_view }) {
        const page = speaking.getStore();
        if (page !== undefined) place.attended(page, in_view);
      },
    },
    as: (page, work) => speaking.run(page, work),
    isAt: place.isAt,
    left(page) {
      place.left(page);
      abilities.delete(page);
      for (const each of [...waiting.values()]) if (each.page === page) each.settle(null);
    },
  };
}

type Ability = keyof CallArgs<"page.abilities">;
type PageAnswer = CallArgs<"page.answer">;
type WithoutId<R> = R extends Events["page.request"] ? Omit<R, "request_id"> : never;
/** A request that has no number yet. */
type AskedOfPage = WithoutId<Events["page.request"]>;

type Ask = (what: Ability, asked: AskedOfPage, signal: AbortSignal) => Promise<PageAnswer>;

/** Platform services, provided by asking a page. */
function servicesOverPages(ask: Ask, can: (what: Ability) => boolean): PlatformServices {
  const clipboard = textThrough(ask);
  const images = imagesThrough(ask);
  const notifications = notificationsThrough(ask);
  const location = locationThrough(ask);
  return {
    // A page cannot return a folder's path, because browsers hide it.
    ...NO_SERVICES,
    clipboard: () => (can("clipboard") ? clipboard : null),
    clipboardImages: () => (can("clipboard_images") ? images : null),
    notifications: () => (can("notifications") ? notifications : null),
    location: () => (can("location") ? location : null),
  };
}

const textThrough = (ask: Ask): ClipboardService => ({
  async read(signal) {
    return (await ask("clipboard", { kind: "clipboard.read" }, signal)).text ?? "";
  },
  async write(text, signal) {
    await ask("clipboard", { kind: "clipboard.write", text }, signal);
  },
});

const imagesThrough = (ask: Ask): ClipboardImageService => ({
  async read(signal) {
    const { image } = await ask("clipboard_images", { kind: "clipboard.read_image" }, signal);
    return image === undefined ? null : Buffer.from(image, "base64");
  },
  async write(png, signal) {
    const image = Buffer.from(png).toString("base64");
    await ask("clipboard_images", { kind: "clipboard.write_image", image }, signal);
  },
});

const notificationsThrough = (ask: Ask): NotificationService => ({
  async show({ title, body, replaces, agentId, conversationId }, signal) {
    const place = { agent_id: agentId, conversation_id: conversationId };
    const asked = { kind: "notification.show", title, body, replaces, place } as const;
    await ask("notifications", asked, signal);
  },
});

const locationThrough = (ask: Ask): LocationService => ({
  async find(accuracy, signal) {
    const { position } = await ask("location", { kind: "location.find", accuracy }, signal);
    if (position === undefined) throw toolFailure("location_error");
    return { ...position, source: "browser" };
  },
});

/**
 * Where requests count as seen: of the pages in view, the one that the person used last (contract
 * §3). Only there a request's time begins, so it never runs for a card that is out of sight on the
 * page in front of the person, because another page happens to show it.
 */
interface ShownPlace<Page> {
  /** The person used this page, or, with `inView` false, it went out of view. */
  attended(page: Page, inView: boolean): void;
  left(page: Page): void;
  isAt(page: Page): boolean;
}

export function createShownPlace<Page>(): ShownPlace<Page> {
  /** The last one is where the person is. */
  const inView = new Set<Page>();
  return {
    attended(page, seen) {
      inView.delete(page);
      if (seen) inView.add(page);
    },
    left: (page) => void inView.delete(page),
    isAt: (page) => [...inView].at(-1) === page,
  };
}
