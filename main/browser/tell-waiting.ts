import type { CallResult } from "../../app/bridge/calls.ts";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import type { Scheduler } from "../../app/execution/ports.ts";
import { systemTexts } from "../client/bridge/host-state.ts";
import { newRequestsFinder, requestAnnouncement } from "../client/calls/announced-requests.ts";
import type { ClientProgram } from "../client/host-port.ts";
import type { NotificationService } from "../tools/platform/platform-services.ts";

/**
 * How long a page may be gone before it counts as closed, in milliseconds: a reload takes some
 * time.
 */
export const PAGE_BACK_MS = 5_000;

interface TellingParts {
  readonly program: ClientProgram;
  readonly scheduler: Scheduler;
  /** The system's own, without a page; null: it has none. */
  readonly notifications: () => NotificationService | null;
  /** Prints on the terminal that something is waiting. */
  readonly say: () => void;
  readonly signal: AbortSignal;
}

export interface WaitingTeller {
  pageOpened(): void;
  pageLeft(): void;
}

/**
 * Announces waiting requests while no page is open: on the terminal once, and by system
 * notifications if there are any and the person wants them. An open page announces them itself.
 */
export function tellWaiting(parts: TellingParts): WaitingTeller {
  const { program, scheduler, signal } = parts;
  const newOnes = newRequestsFinder();
  let pages = 0;
  let waiting = 0;
  let said = false;
  let cancelLook = (): void => {};
  signal.addEventListener("abort", () => cancelLook(), { once: true });

  function sayOnce(): void {
    if (said || waiting === 0 || pages > 0 || signal.aborted) return;
    said = true;
    parts.say();
  }

  program.subscribe((name, event) => {
    if (name !== "consents.changed") return;
    // The type of `event` follows from `name`, which the compiler cannot know here.
    const cards = event as readonly ConsentCard[];
    const arrived = newOnes(cards);
    waiting = cards.length;
    if (waiting === 0) said = false;
    if (pages > 0 || arrived.length === 0) return;
    // A flood of withdrawn requests does not print a new line each time.
    if (arrived.some(({ folded }) => folded === 0)) sayOnce();
    void notify(parts, arrived);
  }, signal);

  return {
    pageOpened() {
      pages += 1;
      said = false;
      cancelLook();
    },
    pageLeft() {
      pages -= 1;
      if (pages === 0 && !signal.aborted) cancelLook = scheduler.after(PAGE_BACK_MS, sayOnce);
    },
  };
}

async function notify(parts: TellingParts, arrived: readonly ConsentCard[]): Promise<void> {
  const { program, signal } = parts;
  const service = parts.notifications();
  if (service === null) return;
  const name = "consent.list";
  const reply = await program.answer({ name, args: {}, senderAllowed: true, allowed: [name] });
  if (!reply.ok) return;
  const { settings } = reply.result as CallResult<typeof name>;
  if (!settings.notifications) return;
  const t = systemTexts(settings.language);
  for (const card of arrived) {
    // If it cannot be shown, there is still the line on the terminal.
    service.show(requestAnnouncement(t, card), signal).catch(() => {});
  }
}
