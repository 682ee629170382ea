import { once } from "node:events";
import { WebSocket } from "ws";

type Frame = Readonly<Record<string, unknown>>;

/** A page as the bridge sees it. Frames are read in the order they arrived. */
export interface TestPage {
  send(frame: unknown): void;
  sendText(text: string | Uint8Array): void;
  next(): Promise<Frame>;
  /** The close code. */
  closed(): Promise<number>;
  leave(): Promise<void>;
}

export interface PageHeaders {
  readonly host?: string;
  readonly origin?: string | null;
}

/** @throws Error `refused <status>` if the upgrade was refused */
export async function openPage(port: number, headers: PageHeaders = {}): Promise<TestPage> {
  const origin = headers.origin === undefined ? `http://127.0.0.1:${port}` : headers.origin;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`, {
    headers: { Host: headers.host ?? `127.0.0.1:${port}` },
    ...(origin === null ? {} : { origin }),
  });
  const frames: Frame[] = [];
  const readers: ((frame: Frame) => void)[] = [];
  socket.on("message", (data) => {
    const frame: Frame = JSON.parse(String(data));
    const reader = readers.shift();
    if (reader === undefined) frames.push(frame);
    else reader(frame);
  });
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  await opened(socket);
  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendText: (text) => socket.send(text),
    next() {
      const frame = frames.shift();
      return frame === undefined
        ? new Promise((resolve) => readers.push(resolve))
        : Promise.resolve(frame);
    },
    closed: () => closed,
    async leave() {
      socket.close();
      await closed;
    },
  };
}

async function opened(socket: WebSocket): Promise<void> {
  const refused = new Promise<never>((_, reject) => {
    socket.on("unexpected-response", (_request, { statusCode }) => {
      reject(new Error(`refused ${statusCode}`));
    });
  });
  socket.on("error", () => {});
  await Promise.race([once(socket, "open"), refused]);
}
