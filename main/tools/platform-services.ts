/**
 * What a host can do on the person's desktop. Asked anew at each call, since a page may connect
 * or leave; null means not here and now, so the tool is `TOOL_UNAVAILABLE` (contract §2.5).
 */
export interface PlatformServices {
  clipboard(): ClipboardService | null;
  notifications(): NotificationService | null;
}

/** A ToolFailure passes through; anything else that is thrown becomes `clipboard_error`. */
export interface ClipboardService {
  read(signal: AbortSignal): Promise<string>;
  write(text: string, signal: AbortSignal): Promise<void>;
}

/** Text meant for display: the agent's name stands first in `title`, controls are escaped. */
export interface NotificationText {
  readonly title: string;
  readonly body: string;
  readonly agentName: string;
  readonly conversationId: string;
}

/** A ToolFailure passes through; anything else that is thrown becomes `notification_error`. */
export interface NotificationService {
  show(notification: NotificationText, signal: AbortSignal): Promise<void>;
}
