import { EventEmitter } from "node:events";
import { record } from "./record.ts";

interface NotificationText {
  readonly title: string;
  readonly body: string;
  readonly actions?: readonly { readonly text: string }[];
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
    const { title, body, actions = [] } = this.text;
    record({ what: "notification", detail: { title, body } });
    record({ what: "notification.buttons", detail: actions.map(({ text }) => text) });
    shown.add(this);
    queueMicrotask(() => this.emit("show"));
  }

  close(): void {
    if (!shown.delete(this)) return;
    const { title, body } = this.text;
    record({ what: "notification.close", detail: { title, body } });
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

/** The person presses this button of the newest notification that has it. */
export function pressInNotification(button: string): boolean {
  const has = ({ text }: Notification) => text.actions?.some(({ text }) => text === button);
  const pressed = [...shown].reverse().find(has);
  if (pressed === undefined) return false;
  shown.delete(pressed);
  const actionIndex = pressed.text.actions?.findIndex(({ text }) => text === button) ?? -1;
  pressed.emit("action", { actionIndex });
  return true;
}
