import type { ToolFailureWord } from "../../../app/contract/codes.ts";
import type { GetLocationResult } from "../../../app/contract/tools/get-location.ts";
import { toolFailure, toolUnavailable } from "../../../app/execution/ports.ts";

/**
 * What a host can do on the person's desktop. Looked up at each call, because a page may connect or
 * leave; null means not available now, so the tool is `TOOL_UNAVAILABLE` (contract §2.5). Every
 * service stops when its signal aborts and leaves nothing behind. A ToolFailure or ToolUnavailable
 * is passed on; anything else thrown becomes the tool's own word.
 */
export interface PlatformServices {
  clipboard(): ClipboardService | null;
  clipboardImages(): ClipboardImageService | null;
  notifications(): NotificationService | null;
  location(): LocationService | null;
  folderPicker(): FolderPicker | null;
}

/** A host that can do nothing; other hosts add what they can do. */
export const NO_SERVICES: PlatformServices = {
  clipboard: () => null,
  clipboardImages: () => null,
  notifications: () => null,
  location: () => null,
  folderPicker: () => null,
};

export interface ClipboardService {
  read(signal: AbortSignal): Promise<string>;
  write(text: string, signal: AbortSignal): Promise<void>;
}

/** Raw bytes, not checked to be a PNG. */
export interface ClipboardImageService {
  /** Null when the clipboard holds no image. */
  read(signal: AbortSignal): Promise<Uint8Array | null>;
  write(png: Uint8Array, signal: AbortSignal): Promise<void>;
}

/** The conversation that a click on the notification opens. */
export interface ConversationPlace {
  readonly agentId: string;
  readonly conversationId: string;
}

/** Text for display: the agent's name comes first in `title`, control characters are escaped. */
export interface NotificationText extends ConversationPlace {
  readonly title: string;
  readonly body: string;
  readonly agentName: string;
  /** The name of an earlier notification that this one replaces; null: none. */
  readonly replaces: string | null;
  /**
   * How many notifications it stands for; 0: only itself. Hosts that cannot replace show only the
   * first of a series.
   */
  readonly folded: number;
}

export interface NotificationService {
  show(notification: NotificationText, signal: AbortSignal): Promise<void>;
}

export type LocationFix = GetLocationResult;
export type LocationAccuracy = "coarse" | "fine";

/** May return a more exact location than asked; the tool rounds it. */
export interface LocationService {
  find(accuracy: LocationAccuracy, signal: AbortSignal): Promise<LocationFix>;
}

export interface FolderPicker {
  /**
   * The absolute path of the folder the person chose; null if they chose none.
   * @param startAt where the dialog opens; null leaves that to the system
   */
  pick(startAt: string | null, signal: AbortSignal): Promise<string | null>;
}

/** Several hosts as one: the first that offers the service at that moment provides it. */
export function firstAvailable(services: readonly PlatformServices[]): PlatformServices {
  return {
    clipboard: () => firstOf(services, (service) => service.clipboard()),
    clipboardImages: () => firstOf(services, (service) => service.clipboardImages()),
    notifications: () => firstOf(services, (service) => service.notifications()),
    location: () => firstOf(services, (service) => service.location()),
    folderPicker: () => firstOf(services, (service) => service.folderPicker()),
  };
}

function firstOf<T>(
  services: readonly PlatformServices[],
  ask: (service: PlatformServices) => T | null,
): T | null {
  for (const service of services) {
    const found = ask(service);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Runs a service of the host and turns its errors into codes: `cancelled` once the signal has
 * aborted (at once, even if the host never answers), a coded failure as it is, anything else as
 * `word`.
 * @throws ToolFailure, ToolUnavailable
 */
export async function platformCall<T>(
  word: ToolFailureWord,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw toolFailure("cancelled");
  const over = new AbortController();
  try {
    // Listens first: `work` may be what aborts the signal.
    const aborted = whenAborted(signal, over.signal);
    // Otherwise the rejection would be unhandled if `work` threw first.
    aborted.catch(() => {});
    return await Promise.race([work(), aborted]);
  } catch (error) {
    if (signal.aborted) throw toolFailure("cancelled");
    throw isCoded(error) ? error : toolFailure(word);
  } finally {
    over.abort("over");
  }
}

/**
 * The service, or `no_provider`: it may have gone since the tool was found available.
 * @throws ToolUnavailable
 */
export function provided<T>(service: T | null): T {
  if (service === null) throw toolUnavailable("no_provider");
  return service;
}

const isCoded = (error: unknown): boolean => toolFailure.is(error) || toolUnavailable.is(error);

function whenAborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(toolFailure("cancelled"));
    signal.addEventListener("abort", fail, { once: true, signal: over });
  });
}
