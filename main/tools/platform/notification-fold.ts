import { LIMITS } from "../../../app/contract/limits.ts";
import type { Translate } from "../../../i18n/index.ts";
import type { NotificationText } from "./platform-services.ts";

export const NOTIFICATIONS_WITHIN_MS = 60_000;

/** Monotonic milliseconds. */
export type Now = () => number;

export interface Folding {
  /**
   * How many of this agent's notifications a combined one stands for; 0: show this one as it is.
   */
  folded(agentId: string): number;
}

interface Recent {
  /** When those shown one by one were shown, oldest first; never more than are allowed. */
  shown: readonly number[];
  /** Notifications only counted since the last one shown. */
  folded: number;
}

/**
 * Decides which of an agent's notifications are shown and which are only counted. Those it sends
 * and those that announce its requests count together.
 */
export function foldNotifications(now: Now): Folding {
  const agents = new Map<string, Recent>();

  function forgetOld(time: number): void {
    for (const [agentId, recent] of agents) {
      recent.shown = recent.shown.filter((at) => time - at < NOTIFICATIONS_WITHIN_MS);
      if (recent.shown.length === 0) agents.delete(agentId);
    }
  }

  return {
    folded(agentId) {
      const time = now();
      forgetOld(time);
      const recent = agents.get(agentId) ?? { shown: [], folded: 0 };
      agents.set(agentId, recent);
      if (recent.shown.length >= LIMITS.notificationsPerMinute) {
        recent.folded += 1;
        return recent.folded;
      }
      recent.shown = [...recent.shown, time];
      recent.folded = 0;
      return 0;
    },
  };
}

/** Contains nothing written by an agent, so a flood cannot put words on the screen one by one. */
export const foldedWords = (
  agentId: string,
  count: number,
  t: Translate,
): Pick<NotificationText, "body" | "replaces" | "folded"> => ({
  body: t("notification.folded", { count }),
  replaces: `folded:${agentId}`,
  folded: count,
});

/**
 * Invisible characters that change how other text is displayed (Trojan Source), and control
 * characters that terminals and notification servers interpret (docs/threat-model.md).
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{ad}\u{200b}\u{2060}-\u{2064}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

/** Writes invisible characters as `\u{202e}`; everything else is unchanged. */
export const visibleText = (text: string): string =>
  text.replace(UNSEEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);

/** With `most` characters at most; a longer text ends with `…`. */
export function shortened(text: string, most: number): string {
  // Far more than is kept, so that a huge text is not taken apart whole.
  const characters = [...text.slice(0, most * 4)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
