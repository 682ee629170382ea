import { createConnection, createServer } from "node:net";
import { join } from "node:path";
import { lockFile } from "../../../runtime/files/file-lock.ts";
import { makeOwnFolder, ownFileError } from "../../../runtime/files/own-file.ts";
import { listenPrivately, socketAddress } from "../../channels/local/socket-address.ts";
import type { TimeSource } from "../time-source.ts";
import { type HostError, hostError } from "./launch-options.ts";

/** The request of a second instance to the first, with the link it was started with; one line. */
const RAISE = /^raise(?: (consentry:[!-~]{0,1000}))?\n$/;
/** The request of the owner's scripts for an access token; one line. */
export const OWNER_TOKEN = "owner-token\n";
const ASK_LIMIT_MS = 3_000;
/** How long a second instance waits for one that is starting or ending. */
const WAIT_MS = 10_000;
const TRY_AGAIN_MS = 200;

export type InstanceClaim =
  | { readonly kind: "first"; readonly lock: InstanceLock }
  /** Another instance runs on this folder; it was asked to show its UI, which is at `ui`; null: no answer. */
  | { readonly kind: "second"; readonly ui: string | null };

interface InstanceAnswers {
  /** Shows the UI. @returns its address */
  raise(link: string | null): string;
  /** A short-lived access token of the person's; null where none is given. */
  ownerToken(): Promise<string | null>;
}

export interface InstanceLock {
  /** From now on others on this folder get these answers. @returns ends that */
  serve(answers: InstanceAnswers): Promise<() => void>;
  release(): void;
}

/**
 * One instance per data folder. The lock is on a file; the socket, which only this account can open,
 * carries the requests above.
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
      return { kind: "first", lock: { serve: (answers) => listen(address, answers), release } };
    }
    const ui = await askInstance(dataDir, raiseWith(link));
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
  hostError("store_unwritable", { message: `The data folder cannot be used: ${place}` });

async function listen(
  address: string,
  { raise, ownerToken }: InstanceAnswers,
): Promise<() => void> {
  const answerTo = async (said: string): Promise<string | null> => {
    // A host that is closing has nothing to show.
    if (!server.listening) return null;
    if (said === OWNER_TOKEN) return ownerToken().catch(() => null);
    const asked = RAISE.exec(said);
    return asked === null ? null : raise(asked[1] ?? null);
  };
  const server = createServer((peer) => {
    peer.on("error", () => peer.destroy());
    peer.once("data", (said) => {
      void answerTo(String(said)).then((answer) => peer.end(`${answer ?? ""}\n`));
    });
  });
  server.unref();
  await listenPrivately(server, address).catch(() => Promise.reject(unusable(address)));
  return () => void server.close();
}

function raiseWith(link: string | undefined): string {
  const request = `raise${link === undefined ? "" : ` ${link}`}\n`;
  // A link that is none only brings up what runs.
  return RAISE.test(request) ? request : "raise\n";
}

/** Asks the program that runs on this folder. @returns its answer; null: there is none */
export function askInstance(dataDir: string, request: string): Promise<string | null> {
  return new Promise((resolve) => {
    const peer = createConnection(socketAddress(dataDir, "instance"));
    let heard = "";
    const done = (ui: string | null) => {
      peer.destroy();
      resolve(ui);
    };
    peer.setEncoding("utf8");
    peer.setTimeout(ASK_LIMIT_MS, () => done(null));
    peer.on("connect", () => peer.write(request));
    peer.on("data", (text) => {
      heard += text;
    });
    peer.on("end", () => done(heard.trim() || null));
    peer.on("error", () => done(null));
  });
}
