import { EventEmitter } from "node:events";
import { record } from "./record.ts";

interface NotificationText {
  readonly title: string;
  readonly body: string;
}

/** On the screen now, oldest first. */
const shown = new Set<Notification>();

/** Remembered, not shown; always taken by the system. */
export class Notification extends EventEmitter {
  readonly text: NotificationText;

  static isSupported(): boolean {
    return true;
  }

  constructor(text: NotificationText) {
    super();
    this.text = text;
  }

  show(): void {
    record({ what: "notification", detail: this.text });
    shown.add(this);
    queueMicrotask(() => this.emit("show"));
  }

  close(): void {
    if (!shown.delete(this)) return;
    record({ what: "notification.close", detail: this.text });
    this.emit("close");
  }
}

/** The person clicks on the newest notification with this title. */
export function clickNotification(title: string): boolean {
  const clicked = [...shown].reverse().find(({ text }) => text.title === title);
  if (clicked === undefined) return false;
  shown.delete(clicked);
  clicked.emit("click");
  return true;
}
