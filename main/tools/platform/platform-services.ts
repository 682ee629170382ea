import type { GetLocationResult } from "../../../app/contract/tools/get-location.ts";

/**
 * What a host can do on the person's desktop. Asked again at each call, since a page may connect
 * or leave; null means not here and now, so the tool is `TOOL_UNAVAILABLE` (contract §2.5).
 * Every service stops when its signal aborts and leaves nothing behind. A ToolFailure or
 * ToolUnavailable passes through; anything else that is thrown becomes the tool's own word.
 */
export interface PlatformServices {
  clipboard(): ClipboardService | null;
  clipboardImages(): ClipboardImageService | null;
  notifications(): NotificationService | null;
  location(): LocationService | null;
  folderPicker(): FolderPicker | null;
}

/** A host that can do nothing; others say what they can do on top of it. */
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

/** Bytes as they came: nobody here has looked whether they are a PNG. */
export interface ClipboardImageService {
  /** Null when the clipboard holds no image. */
  read(signal: AbortSignal): Promise<Uint8Array | null>;
  write(png: Uint8Array, signal: AbortSignal): Promise<void>;
}

/** Whose notification it is: a click on it leads there. */
export interface ConversationPlace {
  readonly agentId: string;
  readonly conversationId: string;
}

/** Text meant for display: the agent's name stands first in `title`, controls are escaped. */
export interface NotificationText extends ConversationPlace {
  readonly title: string;
  readonly body: string;
  readonly agentName: string;
  /** Takes the place of the notification shown under the same name before; null: of none. */
  readonly replaces: string | null;
  /** How many it stands for; 0: for itself. Who cannot replace shows only the first of a row. */
  readonly folded: number;
}

export interface NotificationService {
  show(notification: NotificationText, signal: AbortSignal): Promise<void>;
}

export type LocationFix = GetLocationResult;
export type LocationAccuracy = "coarse" | "fine";

/** May answer more exactly than asked; the tool rounds. */
export interface LocationService {
  find(accuracy: LocationAccuracy, signal: AbortSignal): Promise<LocationFix>;
}

export interface FolderPicker {
  /**
   * The absolute path of the folder the person chose; null when they chose none.
   * @param startAt where the dialog opens; null leaves it to the system
   */
  pick(startAt: string | null, signal: AbortSignal): Promise<string | null>;
}
