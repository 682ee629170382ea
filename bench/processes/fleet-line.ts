import { WebSocket } from "ws";

export interface Heard {
  readonly type: string;
  readonly encrypted_payload: string;
  readonly conversation_id: string;
  readonly conversation_seq: number;
}

export interface Line {
  readonly send: (frame: object) => void;
  /** Why, as the hub says it. */
  readonly closed: Promise<string>;
  readonly close: () => void;
}

/** A connection that has been let in. */
export async function openLine(
  url: string,
  auth: object,
  hear: (frame: Heard, send: Line["send"]) => void,
): Promise<Line> {
  const socket = new WebSocket(url.replace("http", "ws"), { perMessageDeflate: false });
  const closed = new Promise<string>((resolve) =>
    socket.once("close", (_, reason) => resolve(String(reason))),
  );
  const send = (frame: object): void => socket.send(JSON.stringify(frame));
  socket.on("error", () => undefined);
  socket.once("open", () => send({ type: "auth", ...auth }));
  const isIn = new Promise<true>((resolve) => {
    socket.on("message", (data) => {
      const frame: Heard = JSON.parse(String(data));
      if (frame.type === "auth.ok") resolve(true);
      else if (frame.type === "ping") send({ type: "pong" });
      else hear(frame, send);
    });
  });
  const why = await Promise.race([isIn, closed]);
  if (why !== true) throw new Error(`not let in: ${why}`);
  return { send, closed, close: () => socket.close() };
}
