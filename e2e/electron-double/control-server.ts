import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { allWindows } from "./browser-window.ts";
import { clipboard } from "./clipboard.ts";
import { answerDialog } from "./dialog.ts";
import { pressKeys } from "./global-shortcut.ts";
import { clickNotification, pressInNotification } from "./notification.ts";
import { powerMonitor } from "./power-monitor.ts";
import { preventable } from "./preventable.ts";
import { recorded } from "./record.ts";
import { chooseInTray, movePointer } from "./surroundings.ts";

/** What a person does that no page can: sent as the JSON body of `POST /act`. */
export type Act =
  /** Clicks on a window, which brings it to the front with the keyboard. */
  | { readonly act: "activate"; readonly window: number }
  /** Closes it by its own button. */
  | { readonly act: "close"; readonly window: number }
  /** Makes it an entry of the taskbar, and a window again. */
  | { readonly act: "minimize" | "restore"; readonly window: number }
  /** Drags it, and its edges. */
  | {
      readonly act: "place";
      readonly window: number;
      readonly bounds: Parameters<ShownWindow["setBounds"]>[0];
    }
  | { readonly act: "tray"; readonly label: string }
  | { readonly act: "lock" | "unlock" }
  /** Answers the dialog that has been open longest; null cancels it. */
  | { readonly act: "choose"; readonly path: string | null }
  | { readonly act: "copy"; readonly text: string }
  /** Clicks on the newest notification with this title. */
  | { readonly act: "notification"; readonly title: string }
  /** Presses a button of the newest notification that has it. */
  | { readonly act: "button"; readonly text: string }
  /** Opens a link of the program's, as macOS tells of it. */
  | { readonly act: "link"; readonly url: string }
  /** Opens a file with the program, as macOS tells of it. */
  | { readonly act: "file"; readonly path: string }
  /** Moves the pointer. */
  | { readonly act: "point"; readonly x: number; readonly y: number }
  /** Presses keys, whichever program has the keyboard. */
  | { readonly act: "keys"; readonly keys: string }
  | { readonly act: "quit" };

export interface WindowState {
  readonly window: number;
  readonly url: string;
  readonly visible: boolean;
  readonly focused: boolean;
}

interface ToldApp {
  quit(): void;
  emit(event: string, ...args: unknown[]): unknown;
}

/** `GET /record`: RecordEntry[]; `GET /windows`: WindowState[]; `POST /act`. Returns its address. */
export async function startControlServer(app: ToldApp): Promise<string> {
  const server = createServer(async (request, response) => {
    const answer = await answerOf(request, app);
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(JSON.stringify(answer ?? null));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answerOf(request: IncomingMessage, app: ToldApp): Promise<unknown> {
  switch (`${request.method} ${request.url}`) {
    case "GET /record":
      return recorded();
    case "GET /windows":
      return allWindows().map(stateOf);
    case "POST /act":
      // Only tests speak to this server, and they are typed by the same union.
      return perform(JSON.parse(await text(request)) as Act, app);
    default:
      return undefined;
  }
}

type ShownWindow = ReturnType<typeof allWindows>[number];

function stateOf(window: ShownWindow): WindowState {
  return {
    window: window.webContents.id,
    url: window.webContents.url(),
    visible: window.isVisible(),
    focused: window.isFocused(),
  };
}

function perform(act: Act, app: ToldApp): true | undefined {
  const named =
    "window" in act ? allWindows().find(({ webContents: { id } }) => id === act.window) : undefined;
  switch (act.act) {
    case "activate":
      named?.show();
      return named && true;
    case "close":
      named?.close();
      return named && true;
    case "minimize":
      named?.minimize();
      return named && true;
    case "restore":
      named?.restore();
      return named && true;
    case "lock":
    case "unlock":
      powerMonitor.lock(act.act === "lock");
      return true;
    case "place":
      named?.setBounds(act.bounds);
      return named && true;
    case "tray":
      return chooseInTray(act.label) || undefined;
    case "choose":
      return answerDialog(act.path) || undefined;
    case "copy":
      void clipboard.writeText(act.text);
      return true;
    case "notification":
      return clickNotification(act.title) || undefined;
    case "button":
      return pressInNotification(act.text) || undefined;
    case "link":
      app.emit("open-url", preventable(), act.url);
      return true;
    case "file":
      app.emit("open-file", preventable(), act.path);
      return true;
    case "point":
      movePointer({ x: act.x, y: act.y });
      return true;
    case "keys":
      return pressKeys(act.keys) || undefined;
    case "quit":
      // After the answer: quitting closes this server.
      setImmediate(() => app.quit());
      return true;
  }
}
