import { createConnection, createServer, type Server } from "node:net";
import { join } from "node:path";
import { lockFile } from "../../../crypto/file-lock.ts";
import { makeOwnFolder, OwnFileError } from "../../../crypto/own-file.ts";
import { listenPrivately } from "../../channels/local/listen-privately.ts";
import { socketAddress } from "../../channels/local/socket-address.ts";
import { HostError } from "./host-error.ts";

/** The request of a second instance to the first, with the link it was started with; one line. */
const RAISE = /^raise(?: (consentry:[!-~]{0,1000}))?\n$/;
const ASK_LIMIT_MS = 3_000;

export type InstanceClaim =
  | { readonly kind: "first"; readonly lock: InstanceLock }
  /** Another instance runs on this folder; it was asked to show its UI, which is at `ui`. */
  | { readonly kind: "second"; readonly ui: string | null };

export interface InstanceLock {
  /** From now on a second instance gets this answer (the address of the UI it raised). */
  serve(raise: (link: string | null) => string): Promise<void>;
  release(): void;
}

/**
 * One instance per data folder. The lock is on a file; the socket only carries "raise".
 * @throws HostError `store_unwritable` when the folder cannot be used; OwnFileError
 */
export async function claimInstance(dataDir: string, link?: string): Promise<InstanceClaim> {
  const letGo = lockFolder(dataDir);
  const address = socketAddress(dataDir, "instance");
  if (letGo === null) return { kind: "second", ui: await askToRaise(address, link) };
  let server: Server | undefined;
  return {
    kind: "first",
    lock: {
      async serve(raise) {
        server = await listen(address, raise);
      },
      release() {
        server?.close();
        letGo();
      },
    },
  };
}

function lockFolder(dataDir: string): (() => void) | null {
  try {
    makeOwnFolder(dataDir);
    return lockFile(join(dataDir, "instance.lock"));
  } catch (error) {
    throw error instanceof OwnFileError ? error : unusable(dataDir);
  }
}

const unusable = (place: string): HostError =>
  new HostError("store_unwritable", `The data folder cannot be used: ${place}`);

async function listen(address: string, raise: (link: string | null) => string): Promise<Server> {
  const server = createServer((peer) => {
    peer.on("error", () => peer.destroy());
    peer.once("data", (said) => {
      const asked = RAISE.exec(String(said));
      peer.end(asked === null ? "\n" : `${raise(asked[1] ?? null)}\n`);
    });
  });
  server.unref();
  await listenPrivately(server, address).catch(() => Promise.reject(unusable(address)));
  return server;
}

function askToRaise(address: string, link: string | undefined): Promise<string | null> {
  const request = `raise${link === undefined ? "" : ` ${link}`}\n`;
  // A link that is none only brings up what runs.
  const asked = RAISE.test(request) ? request : "raise\n";
  return new Promise((resolve) => {
    const peer = createConnection(address);
    let heard = "";
    const done = (ui: string | null) => {
      peer.destroy();
      resolve(ui);
    };
    peer.setEncoding("utf8");
    peer.setTimeout(ASK_LIMIT_MS, () => done(null));
    peer.on("connect", () => peer.write(asked));
    peer.on("data", (text) => {
      heard += text;
    });
    peer.on("end", () => done(heard.trim() || null));
    peer.on("error", () => done(null));
  });
}
