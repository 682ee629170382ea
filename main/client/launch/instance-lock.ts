import { createConnection, createServer } from "node:net";
import { join } from "node:path";
import { lockFile } from "../../../runtime/files/file-lock.ts";
import { makeOwnFolder, ownFileError } from "../../../runtime/files/own-file.ts";
import { listenPrivately, socketAddress } from "../../channels/local/socket-address.ts";
import type { TimeSource } from "../time-source.ts";
import { HostError } from "./launch-options.ts";

/** The request of a second instance to the first, with the link it was started with; one line. */
const RAISE = /^raise(?: (consentry:[!-~]{0,1000}))?\n$/;
const ASK_LIMIT_MS = 3_000;
/** How long a second instance waits for one that is starting or ending. */
const WAIT_MS = 10_000;
const TRY_AGAIN_MS = 200;

export type InstanceClaim =
  | { readonly kind: "first"; readonly lock: InstanceLock }
  /** Another instance runs on this folder; it was asked to show its UI, which is at `ui`; null: no answer. */
  | { readonly kind: "second"; readonly ui: string | null };

export interface InstanceLock {
  /**
   * From now on a second instance gets this answer (the address of the UI it raised).
   * @returns ends that
   */
  serve(raise: (link: string | null) => string): Promise<() => void>;
  release(): void;
}

/**
 * One instance per data folder. The lock is on a file; the socket only carries "raise".
 * @param time absent: an instance that does not answer is not waited for
 * @throws HostError `store_unwritable` when the folder cannot be used; OwnFileError
 */
export async function claimInstance(
  dataDir: string,
  link?: string,
  time?: Pick<TimeSource, "monotonic" | "scheduler">,
): Promise<InstanceClaim> {
  const address = socketAddress(dataDir, "instance");
  const startedAt = time?.monotonic.now() ?? 0;
  for (;;) {
    const release = lockFolder(dataDir);
    if (release !== null) {
      return { kind: "first", lock: { serve: (raise) => listen(address, raise), release } };
    }
    const ui = await askToRaise(address, link);
    if (ui !== null || time === undefined || time.monotonic.now() - startedAt >= WAIT_MS) {
      return { kind: "second", ui };
    }
    await new Promise<void>((resolve) => time.scheduler.after(TRY_AGAIN_MS, resolve));
  }
}

/** What a second instance tells the person. The browser host's UI is a link, which may not have been opened. */
export function secondStartLine(dataDir: string, ui: string | null): string {
  const runs = `Consentry already runs on ${dataDir}`;
  if (ui === null) return `${runs}, but does not answer.`;
  return ui.startsWith("http:") ? `${runs}; open ${ui}` : `${runs}; its window was brought up.`;
}

function lockFolder(dataDir: string): (() => void) | null {
  try {
    makeOwnFolder(dataDir);
    return lockFile(join(dataDir, "instance.lock"));
  } catch (error) {
    throw ownFileError.is(error) ? error : unusable(dataDir);
  }
}

const unusable = (place: string): HostError =>
  new HostError("store_unwritable", `The data folder cannot be used: ${place}`);

async function listen(
  address: string,
  raise: (link: string | null) => string,
): Promise<() => void> {
  const server = createServer((peer) => {
    peer.on("error", () => peer.destroy());
    peer.once("data", (said) => {
      // A host that is closing has nothing to show.
      const asked = server.listening ? RAISE.exec(String(said)) : null;
      peer.end(asked === null ? "\n" : `${raise(asked[1] ?? null)}\n`);
    });
  });
  server.unref();
  await listenPrivately(server, address).catch(() => Promise.reject(unusable(address)));
  return () => void server.close();
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
