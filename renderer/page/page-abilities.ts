import type { CallArgs } from "../../app/bridge/calls.ts";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { ConversationShown, Events } from "../../app/bridge/events.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { CLIPBOARD_IMAGE_MAX_BYTES } from "../../app/contract/tools/clipboard-image-limits.ts";
import { base64Of, blobOf } from "../parts/files.ts";
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

/** Tells the host what this page can do, and does what it asks of the browser. */
export function servePage({ bridge, opened, signal }: PageDuty): void {
  const report = (): void => void reportAbilities(bridge);
  window.addEventListener("focus", report, { signal });
  window.addEventListener("blur", report, { signal });
  document.addEventListener("visibilitychange", report, { signal });
  bridge.on("page.request", (request) => void answer(bridge, request, opened), signal);
  report();
}

type PageRequest = Events["page.request"];
type PageAnswer = Omit<CallArgs<"page.answer">, "request_id">;

async function answer(
  bridge: ClientBridge,
  request: PageRequest,
  opened: PageDuty["opened"],
): Promise<void> {
  const outcome = await done(request, opened).catch((): PageAnswer => ({ ok: false }));
  await bridge
    .call("page.answer", { request_id: request.request_id, ...outcome })
    // The connection was lost, so the host no longer waits for this page.
    .catch(() => {});
}

async function done(request: PageRequest, opened: PageDuty["opened"]): Promise<PageAnswer> {
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

const PNG = "image/png";

/** Older browsers support text only. */
const imagesUsable = (): boolean =>
  "ClipboardItem" in window && "read" in navigator.clipboard && "write" in navigator.clipboard;

/** The result has no image if the clipboard holds none. */
async function clipboardImage(): Promise<PageAnswer> {
  const items = await navigator.clipboard.read();
  const item = items.find(({ types }) => types.includes(PNG));
  if (item === undefined) return { ok: true };
  const blob = await item.getType(PNG);
  // A larger one would not fit through the bridge.
  if (blob.size > CLIPBOARD_IMAGE_MAX_BYTES) return { ok: false, word: "too_large" };
  return { ok: true, image: await base64Of(blob) };
}

async function writeClipboardImage(base64: string): Promise<void> {
  await navigator.clipboard.write([new ClipboardItem({ [PNG]: blobOf(base64, PNG) })]);
}

/** In milliseconds; shorter than the host's time limit for a page. */
const FIND_MS = 115_000;
/** In milliseconds: the town a person is in does not change that fast. */
const COARSE_AGE_MS = 600_000;

/** True unless the person has forbidden it for this page; the browser asks them when it is used. */
async function canFindLocation(): Promise<boolean> {
  if (!("geolocation" in navigator)) return false;
  try {
    const { state } = await navigator.permissions.query({ name: "geolocation" });
    return state !== "denied";
  } catch {
    // A browser without this query reports it when asked for a location.
    return true;
  }
}

function findLocation(accuracy: "coarse" | "fine"): Promise<PageAnswer> {
  const fine = accuracy === "fine";
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      (found) => resolve({ ok: true, position: positionOf(found) }),
      (error) => resolve({ ok: false, word: wordOf(error) }),
      { enableHighAccuracy: fine, timeout: FIND_MS, maximumAge: fine ? 0 : COARSE_AGE_MS },
    );
  });
}

const positionOf = ({ coords, timestamp }: GeolocationPosition) => ({
  latitude: coords.latitude,
  longitude: coords.longitude,
  accuracy_m: coords.accuracy,
  timestamp: Math.floor(timestamp),
});

const wordOf = ({ code, PERMISSION_DENIED }: GeolocationPositionError) =>
  code === PERMISSION_DENIED ? "access_denied" : "no_fix";
