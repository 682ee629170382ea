import type { NotificationText, PlatformServices } from "../../tools/platform/platform-services.ts";

/** A desktop in memory that records what tools did to it. */
export class MemoryPlatform implements PlatformServices {
  clipboardText = "";
  readonly reads: string[] = [];
  readonly writes: string[] = [];
  readonly shown: NotificationText[] = [];
  /** When set, a notification takes until this ends or the call is stopped. */
  hold: Promise<void> | null = null;
  /** Why notifications that were being shown were stopped. */
  readonly stopped: unknown[] = [];

  /** The number of effects of any kind. */
  get sideEffects(): number {
    return this.reads.length + this.writes.length + this.shown.length;
  }

  clipboard() {
    return {
      read: async () => {
        this.reads.push(this.clipboardText);
        return this.clipboardText;
      },
      write: async (text: string) => {
        this.writes.push(text);
        this.clipboardText = text;
      },
    };
  }

  clipboardImages() {
    return null;
  }

  location() {
    return null;
  }

  folderPicker() {
    return null;
  }

  notifications() {
    return {
      show: async (notification: NotificationText, signal: AbortSignal) => {
        this.shown.push(notification);
        if (this.hold === null) return;
        const { hold } = this;
        await new Promise<void>((resolve, reject) => {
          signal.addEventListener("abort", () => {
            this.stopped.push(signal.reason);
            reject(signal.reason);
          });
          void hold.then(resolve);
        });
      },
    };
  }
}
