import type { CallArgs, CallName } from "../../app/bridge/calls.ts";
import type { CallReply } from "../../app/bridge/client-bridge.ts";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { toolFailure } from "../../app/execution/ports.ts";
import type { Translate } from "../../i18n/index.ts";
import type { ClientProgram } from "../client/host-port.ts";

/** The part of Electron's Notification that is used here. */
export interface DesktopNotification {
  once(event: "show", listener: () => void): unknown;
  once(event: "click", listener: () => void): unknown;
  once(event: "close", listener: () => void): unknown;
  once(event: "failed", listener: () => void): unknown;
  once(event: "action", listener: (details: { readonly actionIndex: number }) => void): unknown;
  show(): void;
  close(): void;
}

interface DesktopNotificationText {
  readonly title: string;
  readonly body: string;
  readonly actions: { readonly type: "button"; readonly text: string }[];
}

export interface NotificationButton {
  readonly text: string;
  readonly chosen: () => void;
}

interface NotificationRequest {
  readonly title: string;
  readonly body: string;
  /** The name of an earlier notification that this one replaces; null: none. */
  readonly replaces: string | null;
  readonly clicked: () => void;
  /** Not every system shows them. */
  readonly buttons?: readonly NotificationButton[];
}

export interface ShownNotifications {
  /**
   * Resolves once the system has accepted it; aborting before that withdraws it.
   * @throws ToolFailure `notification_error`, `cancelled`
   */
  show(wish: NotificationRequest, signal: AbortSignal): Promise<void>;
}

/** How many notifications stay clickable; systems drop older ones themselves. */
export const KEPT_AT_MOST = 50;

/** Keeps references: Electron drops an unreferenced notification, and with it the click on it. */
export function keepShownNotifications(
  create: (text: DesktopNotificationText) => DesktopNotification,
): ShownNotifications {
  const kept = new Map<DesktopNotification, string | null>();

  function keep(notification: DesktopNotification, name: string | null): void {
    for (const [older, itsName] of kept) {
      if (name === null || itsName !== name) continue;
      kept.delete(older);
      older.close();
    }
    kept.set(notification, name);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_AT_MOST && oldest !== undefined) kept.delete(oldest);
  }

  return {
    show({ title, body, replaces, clicked, buttons = [] }, signal) {
      if (signal.aborted) return Promise.reject(toolFailure("cancelled"));
      const notification = create({
        title,
        body,
        actions: buttons.map(({ text }) => ({ type: "button", text })),
      });
      keep(notification, replaces);
      const drop = () => kept.delete(notification);
      notification.once("click", () => {
        drop();
        clicked();
      });
      notification.once("action", ({ actionIndex }) => {
        drop();
        buttons[actionIndex]?.chosen();
      });
      notification.once("close", drop);
      return taken(notification, drop, signal);
    },
  };
}

function taken(
  notification: DesktopNotification,
  drop: () => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (word: "cancelled" | "notification_error"): void => {
      signal.removeEventListener("abort", stop);
      drop();
      reject(toolFailure(word));
    };
    const stop = (): void => {
      notification.close();
      fail("cancelled");
    };
    signal.addEventListener("abort", stop, { once: true });
    notification.once("failed", () => fail("notification_error"));
    notification.once("show", () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    notification.show();
  });
}

/**
 * The buttons of a request's notification. It can be denied there, and is allowed nowhere but in front of
 * its card. One that stands for several requests has none: which of them would be denied?
 */
export function requestButtons(
  t: Translate,
  card: Pick<ConsentCard, "request_id" | "folded">,
  program: Pick<ClientProgram, "answer">,
  open: () => void,
): readonly NotificationButton[] {
  if (card.folded !== 0) return [];
  const deny = { request_id: card.request_id, answer: "deny" } as const;
  return [
    { text: t("consent.deny"), chosen: () => void ask(program, "consent.answer", deny) },
    { text: t("desktop.open_request"), chosen: open },
  ];
}

/** A call of the host's own; it is checked like any call from a page. */
export const ask = <C extends CallName>(
  program: Pick<ClientProgram, "answer">,
  name: C,
  args: CallArgs<C>,
): Promise<CallReply> => program.answer({ name, args, senderAllowed: true, allowed: [name] });
