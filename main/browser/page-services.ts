import { AsyncLocalStorage } from "node:async_hooks";
import type { CallArgs } from "../../app/bridge/calls.ts";
import type { Events } from "../../app/bridge/events.ts";
import type { ToolFailureWord } from "../../app/contract/codes.ts";
import { type Scheduler, ToolFailure } from "../../app/execution/ports.ts";
import type { PageHandlers } from "../client/host-port.ts";
import type { PlatformServices } from "../tools/platform-services.ts";

/** Milliseconds a page has for what it is asked; a tab asleep must not hold a tool for longer. */
export const PAGE_ANSWER_MS = 10_000;

type PageRequest = Events["page.request"];
type Abilities = CallArgs<"page.abilities">;
type Answer = CallArgs<"page.answer">;
type Asked = PageRequest extends infer R
  ? R extends PageRequest
    ? Omit<R, "request_id">
    : never
  : never;

const FAILURES = {
  clipboard: "clipboard_error",
  notifications: "notification_error",
} as const satisfies Record<keyof Abilities, ToolFailureWord>;

/** One connected page, by what it can be sent. */
export interface Page {
  send(request: PageRequest): void;
}

export interface PageServices {
  readonly services: PlatformServices;
  readonly handlers: PageHandlers;
  /** Runs `work` with `page` as the one whose call it is: handlers see only the arguments. */
  as<T>(page: Page, work: () => T): T;
  /** The page went away: its abilities end, what it was asked fails. */
  left(page: Page): void;
}

interface Waiting {
  readonly page: Page;
  readonly settle: (answer: Answer | null) => void;
}

/** What only a page's browser can do, done by the page that reported it last. */
export function createPageServices(parts: {
  readonly newId: () => string;
  readonly scheduler: Scheduler;
}): PageServices {
  const speaking = new AsyncLocalStorage<Page>();
  const abilities = new Map<Page, Abilities>();
  const waiting = new Map<string, Waiting>();

  const able = (what: keyof Abilities): Page | undefined =>
    [...abilities].reverse().find(([, each]) => each[what])?.[0];

  /** Only one page is asked: two would both show the notification. */
  function ask(what: keyof Abilities, asked: Asked, signal: AbortSignal): Promise<Answer> {
    const page = able(what);
    if (signal.aborted) return Promise.reject(signal.reason);
    if (page === undefined) return Promise.reject(new ToolFailure(FAILURES[what]));
    const request_id = parts.newId();
    return new Promise((resolve, reject) => {
      const aborted = () => settle(null);
      const cancelTimer = parts.scheduler.after(PAGE_ANSWER_MS, () => settle(null));
      const settle = (answer: Answer | null) => {
        waiting.delete(request_id);
        cancelTimer();
        signal.removeEventListener("abort", aborted);
        if (answer?.ok === true) resolve(answer);
        else reject(signal.aborted ? signal.reason : new ToolFailure(FAILURES[what]));
      };
      signal.addEventListener("abort", aborted, { once: true });
      waiting.set(request_id, { page, settle });
      page.send({ ...asked, request_id });
    });
  }

  return {
    services: servicesOver(ask, (what) => able(what) !== undefined),
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
    },
    as: (page, work) => speaking.run(page, work),
    left(page) {
      abilities.delete(page);
      for (const each of [...waiting.values()]) if (each.page === page) each.settle(null);
    },
  };
}

function servicesOver(
  ask: (what: keyof Abilities, asked: Asked, signal: AbortSignal) => Promise<Answer>,
  can: (what: keyof Abilities) => boolean,
): PlatformServices {
  const clipboard = {
    async read(signal: AbortSignal) {
      return (await ask("clipboard", { kind: "clipboard.read" }, signal)).text ?? "";
    },
    async write(text: string, signal: AbortSignal) {
      await ask("clipboard", { kind: "clipboard.write", text }, signal);
    },
  };
  const notifications = {
    async show(shown: { title: string; body: string }, signal: AbortSignal) {
      const { title, body } = shown;
      await ask("notifications", { kind: "notification.show", title, body }, signal);
    },
  };
  return {
    clipboard: () => (can("clipboard") ? clipboard : null),
    notifications: () => (can("notifications") ? notifications : null),
  };
}
