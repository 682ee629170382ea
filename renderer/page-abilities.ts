import type { CallArgs } from "../app/bridge/calls.ts";
import type { ClientBridge } from "../app/bridge/client-bridge.ts";
import type { ConversationShown, Events } from "../app/bridge/events.ts";
import { assertNever } from "../app/contract/assert-never.ts";
import { clipboardImage, imagesUsable, writeClipboardImage } from "./page-clipboard-image.ts";
import { canFindLocation, findLocation } from "./page-location.ts";
import { notificationPermission, showNotification } from "./page-notifications.ts";

/** Browsers allow clipboard access only for a focused page on a secure origin. */
const clipboardUsable = (): boolean => "clipboard" in navigator && document.hasFocus();

/** Tells the host what this page could do for it now. After a lost connection this is repeated. */
export async function reportAbilities(bridge: ClientBridge): Promise<void> {
  const location = await canFindLocation();
  await bridge
    .call("page.abilities", {
      clipboard: clipboardUsable(),
      clipboard_images: clipboardUsable() && imagesUsable(),
      notifications: notificationPermission() === "granted",
      location,
    })
    .catch(() => {});
}

export interface PageDuty {
  readonly bridge: ClientBridge;
  /** The person clicked on one of this page's notifications. */
  readonly opened: (place: ConversationShown) => void;
  readonly signal: AbortSignal;
}

/**
 * Keeps the host informed about what this page can do, and does what the host asks of its browser.
 */
export function servePage({ bridge, opened, signal }: PageDuty): void {
  const report = (): void => void reportAbilities(bridge);
  window.addEventListener("focus", report, { signal });
  window.addEventListener("blur", report, { signal });
  document.addEventListener("visibilitychange", report, { signal });
  bridge.on("page.request", (request) => void answer(bridge, request, opened), signal);
  report();
}

type PageRequest = Events["page.request"];
type Outcome = Omit<CallArgs<"page.answer">, "request_id">;

async function answer(
  bridge: ClientBridge,
  request: PageRequest,
  opened: PageDuty["opened"],
): Promise<void> {
  const outcome = await done(request, opened).catch((): Outcome => ({ ok: false }));
  await bridge
    .call("page.answer", { request_id: request.request_id, ...outcome })
    // The connection was lost, so the host no longer waits for this page.
    .catch(() => {});
}

async function done(request: PageRequest, opened: PageDuty["opened"]): Promise<Outcome> {
  switch (request.kind) {
    case "clipboard.read":
      return { ok: true, text: await navigator.clipboard.readText() };
    case "clipboard.write":
      await navigator.clipboard.writeText(request.text);
      return { ok: true };
    case "clipboard.read_image":
      return clipboardImage();
    case "clipboard.write_image":
      await writeClipboardImage(request.image);
      return { ok: true };
    case "notification.show":
      return { ok: showNotification(request, () => opened(request.place)) };
    case "location.find":
      return findLocation(request.accuracy);
    default:
      return assertNever(request);
  }
}
