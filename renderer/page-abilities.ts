import type { CallArgs } from "../app/bridge/calls.ts";
import type { ClientBridge } from "../app/bridge/client-bridge.ts";
import type { Events } from "../app/bridge/events.ts";
import { assertNever } from "../app/contract/assert-never.ts";

/** What the browser says about notifications; "absent" where it has none. */
export const notificationPermission = (): NotificationPermission | "absent" =>
  "Notification" in window ? Notification.permission : "absent";

/** Browsers give the clipboard to a focused page on a secure origin only. */
const clipboardUsable = (): boolean => "clipboard" in navigator && document.hasFocus();

/** Tells the host what this page could do for it now. A lost connection asks again by itself. */
export function reportAbilities(bridge: ClientBridge): void {
  bridge
    .call("page.abilities", {
      clipboard: clipboardUsable(),
      notifications: notificationPermission() === "granted",
    })
    .catch(() => {});
}

/** Keeps the host's picture of this page true, and does what it asks of the page's browser. */
export function servePage(bridge: ClientBridge, signal: AbortSignal): void {
  const report = (): void => reportAbilities(bridge);
  window.addEventListener("focus", report, { signal });
  window.addEventListener("blur", report, { signal });
  document.addEventListener("visibilitychange", report, { signal });
  bridge.on("page.request", (request) => void answer(bridge, request), signal);
  report();
}

type PageRequest = Events["page.request"];
type Outcome = Pick<CallArgs<"page.answer">, "ok" | "text">;

async function answer(bridge: ClientBridge, request: PageRequest): Promise<void> {
  const outcome = await done(request).catch((): Outcome => ({ ok: false }));
  await bridge
    .call("page.answer", { request_id: request.request_id, ...outcome })
    // The connection went: the host has already given up on this page.
    .catch(() => {});
}

async function done(request: PageRequest): Promise<Outcome> {
  switch (request.kind) {
    case "clipboard.read":
      return { ok: true, text: await navigator.clipboard.readText() };
    case "clipboard.write":
      await navigator.clipboard.writeText(request.text);
      return { ok: true };
    case "notification.show":
      if (notificationPermission() !== "granted") return { ok: false };
      new Notification(request.title, { body: request.body });
      return { ok: true };
    default:
      return assertNever(request);
  }
}
