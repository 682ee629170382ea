export interface FrameDouble {
  readonly url: string;
  readonly parent: FrameDouble | null;
  readonly frameTreeNodeId: number;
}

/** The window's contents that a message came from. */
interface SenderDouble {
  readonly id: number;
  readonly mainFrame: FrameDouble;
}

export interface InvokeEvent {
  readonly sender: SenderDouble;
  readonly senderFrame: FrameDouble | null;
}

type Handler = (event: InvokeEvent, ...args: unknown[]) => unknown;

const handlers = new Map<string, Handler>();

export const ipcMain = {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
  removeHandler(channel: string): void {
    handlers.delete(channel);
  },
};

export async function invoke(event: InvokeEvent, channel: string, args: unknown[]) {
  const handler = handlers.get(channel);
  if (handler === undefined) throw new Error(`no handler registered for '${channel}'`);
  return handler(event, ...args);
}
