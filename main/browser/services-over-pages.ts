import type { CallArgs } from "../../app/bridge/calls.ts";
import type { Events } from "../../app/bridge/events.ts";
import { ToolFailure } from "../../app/execution/ports.ts";
import {
  type ClipboardImageService,
  type ClipboardService,
  type LocationService,
  NO_SERVICES,
  type NotificationService,
  type PlatformServices,
} from "../tools/platform/platform-services.ts";

export type Ability = keyof CallArgs<"page.abilities">;
export type PageAnswer = CallArgs<"page.answer">;
type WithoutId<R> = R extends Events["page.request"] ? Omit<R, "request_id"> : never;
/** A request that has no number yet. */
export type AskedOfPage = WithoutId<Events["page.request"]>;

type Ask = (what: Ability, asked: AskedOfPage, signal: AbortSignal) => Promise<PageAnswer>;

/** Platform services, provided by asking a page. */
export function servicesOverPages(ask: Ask, can: (what: Ability) => boolean): PlatformServices {
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
    if (position === undefined) throw new ToolFailure("location_error");
    return { ...position, source: "browser" };
  },
});
