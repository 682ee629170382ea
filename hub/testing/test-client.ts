import { WebSocket } from "ws";
import type { FrameSocket } from "../../app/protocol/v1/frame-socket.ts";

export type TestFrame = { readonly type: string; readonly [key: string]: unknown };

/** One end of a connection that remembers everything it got. */
export class TestClient {
  readonly frames: TestFrame[] = [];
  readonly closed: Promise<number>;
  readonly #socket: Pick<FrameSocket, "send" | "close">;
  #taken = 0;
  #wake: () => void = () => undefined;

  constructor(socket: FrameSocket) {
    this.#socket = socket;
    socket.onFrame((text) => {
      this.frames.push(JSON.parse(text) as TestFrame);
      this.#wake();
    });
    this.closed = new Promise((resolve) => socket.onClose(resolve));
  }

  send(frame: unknown): void {
    this.#socket.send(JSON.stringify(frame));
  }

  /** Writes a message. @returns its acknowledgement */
  says(conversationId: string, id: string): Promise<TestFrame> {
    this.send(messageTo(conversationId, id));
    return this.next("message.ack");
  }

  sendText(text: string): void {
    this.#socket.send(text);
  }

  close(): void {
    this.#socket.close();
  }

  /** The next frame of this type that no earlier call has passed. */
  async next(type: string): Promise<TestFrame> {
    for (;;) {
      const at = this.frames.findIndex(
        (frame, index) => index >= this.#taken && frame.type === type,
      );
      const found = this.frames[at];
      if (found !== undefined) {
        this.#taken = at + 1;
        return found;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when the hub has handled everything sent so far on this connection. */
  async settled(): Promise<void> {
    const mark = `barrier-${this.frames.length}`;
    this.send({ type: "barrier", client_message_id: mark });
    for (;;) {
      const frame = await this.next("frame.error");
      const { params } = frame.error as { params: Record<string, unknown> };
      if (params.client_message_id === mark) return;
    }
  }

  ofType(type: string): TestFrame[] {
    return this.frames.filter((frame) => frame.type === type);
  }
}

/** The client's side of a WebSocket as a frame socket. */
export async function openSocket(url: string): Promise<{ client: TestClient; raw: WebSocket }> {
  const raw = new WebSocket(url, { perMessageDeflate: false });
  const client = new TestClient({
    send: (text) => raw.send(text),
    close: (code) => raw.close(code),
    onFrame: (listener) => void raw.on("message", (data) => listener(String(data))),
    onClose: (listener) => void raw.on("close", (code) => listener(code)),
  });
  await new Promise<void>((resolve, reject) => {
    raw.once("open", resolve);
    raw.once("error", reject);
  });
  raw.on("error", () => undefined);
  return { client, raw };
}

export const messageTo = (conversationId: string, id: string, payload = "AGhp") => ({
  type: "message.send",
  client_message_id: id,
  conversation_id: conversationId,
  content_type: "text",
  encrypted_payload: payload,
});
