import { lstatSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { errorKind } from "../../../app/contract/coded-error.ts";
import { provenName, takeName } from "./prove-process.ts";

/** `unreachable`: nothing was sent; `lost`: the connection ended before the answer. */
export const localRequestError = errorKind<"unreachable" | "lost">("LocalRequestError");

const PROCESSING = 102;

export interface LocalRequest {
  readonly path: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Asks for a pipe in both directions instead of an answer. */
  readonly pipe?: true;
  /** Gets the connection; its end is the end of what was asked. */
  readonly opened?: (socket: Socket) => void;
}

export interface LocalReply {
  /** Of HTTP; 101: the pipe stands; 102: the program has taken the request, and its answer follows. */
  readonly status: number;
  /** Paused. What it has to say until its end is the answer's body. */
  readonly socket: Socket;
}

/**
 * One request to the program, on a connection of its own: first it asks for a nonce and, where the system
 * tells of processes, proves with it which process this is. Plain HTTP/1.x by hand, because `node:http` takes as
 * long to load as Node itself to start, and an agent waits for each hook.
 * @throws LocalRequestError
 */
export async function requestLocally(address: string, request: LocalRequest): Promise<LocalReply> {
  // A process has one name, so it proves itself to one at a time.
  const before = proving;
  const proven = Promise.withResolvers<void>();
  proving = proven.promise;
  await before;
  let restoreName = () => {};
  try {
    const socket = await connected(address, "GET /process HTTP/1.1\r\nHost: consentry\r\n\r\n");
    request.opened?.(socket);
    const nonce = /^consentry-nonce: ([\w-]+)\r?$/im.exec((await headOf(socket)).text)?.[1];
    if (nonce !== undefined) restoreName = takeName(provenName(nonce, address));
    socket.write(headFor(request));
    if (request.body !== undefined) socket.write(request.body);
    const { status } = await headOf(socket);
    return { status, socket };
  } finally {
    restoreName();
    proven.resolve();
  }
}

let proving: Promise<void> = Promise.resolve();

/** What is said to a request that the program has taken, which may be long after that. */
export const replyTo = async ({ status, socket }: LocalReply): Promise<LocalReply> =>
  status === PROCESSING ? { status: (await headOf(socket)).status, socket } : { status, socket };

/** The whole of a reply. */
export async function bodyOf({ socket }: LocalReply): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.once("end", () => resolve(Buffer.concat(chunks).toString()));
    socket.once("close", () => reject(localRequestError("lost")));
    socket.resume();
  });
}

function connected(address: string, first: string): Promise<Socket> {
  if (!isOwnSocket(address)) return Promise.reject(localRequestError("unreachable"));
  return new Promise((resolve, reject) => {
    const socket = createConnection(address);
    socket.write(first);
    const failed = () => reject(localRequestError("unreachable"));
    socket.once("error", failed);
    socket.once("connect", () => {
      socket.off("error", failed);
      // Its end follows, and says what there is to say.
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}

/** With version 1.0 the answer's body is what comes until the end. */
function headFor({ path, token, headers = {}, body, pipe }: LocalRequest): string {
  const lines = pipe
    ? [`GET ${path} HTTP/1.1`, "Connection: Upgrade", "Upgrade: consentry"]
    : [`POST ${path} HTTP/1.0`, `Content-Length: ${body?.byteLength ?? 0}`];
  const all = {
    Host: "consentry",
    Authorization: `Bearer ${token}`,
    "Consentry-Process": String(process.pid),
    ...headers,
  };
  const named = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[...lines, ...named].join("\r\n")}\r\n\r\n`;
}

interface Head {
  readonly status: number;
  readonly text: string;
}

/** What follows it stays in the socket, which is paused. */
function headOf(socket: Socket): Promise<Head> {
  return new Promise((resolve, reject) => {
    let heard = Buffer.alloc(0);
    const closed = () => reject(localRequestError("lost"));
    const listen = (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      const end = heard.indexOf("\r\n\r\n");
      if (end === -1) return;
      socket.pause();
      socket.off("data", listen);
      socket.off("close", closed);
      const text = heard.subarray(0, end).toString("latin1");
      const rest = heard.subarray(end + 4);
      if (rest.byteLength > 0) socket.unshift(rest);
      resolve({ status: Number(text.split(" ")[1]), text });
    };
    socket.on("data", listen);
    socket.once("close", closed);
    socket.resume();
  });
}

/** The token is only for a socket of this account's: in a folder for all, another could stand there. */
function isOwnSocket(address: string): boolean {
  if (process.platform === "win32") return true;
  const stat = lstatSync(address, { throwIfNoEntry: false });
  return stat?.isSocket() === true && stat.uid === process.geteuid?.();
}
