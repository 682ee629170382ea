import { lstatSync } from "node:fs";
import { createConnection } from "node:net";
import { assertNever } from "../../../app/contract/assert-never.ts";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";
import { LineSocket } from "./line-socket.ts";
import { isTimeUp } from "./local-call.ts";
import {
  isServerFrame,
  LOCAL_VERSION,
  type LocalFailure,
  type ServerFrame,
  type StandingWord,
} from "./local-frames.ts";
import { provenName, takeName } from "./prove-process.ts";

export interface LocalClientOptions {
  readonly address: string;
  readonly token: string;
  /** What this program calls itself. */
  readonly name: string;
  readonly session: string;
  /** Where it stands with the person, at first and after each change. */
  standing(standing: StandingWord, code: string | null): void;
  /** What it may use has changed. */
  changed(): void;
  closed(): void;
}

export class LocalClientError extends Error {
  override readonly name = "LocalClientError";
  /** `unreachable`: nothing was sent; `lost`: the connection ended before the answer. */
  readonly code: "unreachable" | "lost" | LocalFailure;
  constructor(code: LocalClientError["code"]) {
    super(code);
    this.code = code;
  }
}

interface Pending {
  readonly answered: PromiseWithResolvers<JsonValue>;
  readonly progress: ((progress: JsonValue) => void) | null;
}

/** The other end of the private socket, in the process of whoever wants something of this program. */
export class LocalClient {
  readonly #line: LineSocket;
  readonly #options: LocalClientOptions;
  readonly #pending = new Map<number, Pending>();
  #restoreName: () => void = () => {};
  #nextId = 0;
  #isClosed = false;

  /**
   * Resolves once the connection stands; where it stands with the person comes after that.
   * @throws LocalClientError `unreachable`
   */
  static async connect(options: LocalClientOptions): Promise<LocalClient> {
    if (!isOwnSocket(options.address)) throw new LocalClientError("unreachable");
    return new Promise((resolve, reject) => {
      const socket = createConnection(options.address);
      const failed = () => reject(new LocalClientError("unreachable"));
      socket.once("error", failed);
      socket.once("connect", () => {
        socket.off("error", failed);
        resolve(new LocalClient(socket, options));
      });
    });
  }

  private constructor(socket: ReturnType<typeof createConnection>, options: LocalClientOptions) {
    this.#options = options;
    this.#line = new LineSocket(socket, {
      line: (value) => this.#read(value),
      closed: () => {
        this.#isClosed = true;
        this.#restoreName();
        for (const { answered } of this.#pending.values()) {
          answered.reject(new LocalClientError("lost"));
        }
        this.#pending.clear();
        options.closed();
      },
    });
    const { token, name, session } = options;
    const pid = process.pid;
    this.#line.send({ type: "hello", version: LOCAL_VERSION, token, name, pid, session });
  }

  /**
   * @param signal cancels the request; the answer then says so. Its reason may be that time is up
   * @throws LocalClientError
   */
  request(
    op: string,
    args: JsonObject,
    { signal, progress = null }: { signal?: AbortSignal; progress?: Pending["progress"] } = {},
  ): Promise<JsonValue> {
    if (this.#isClosed) return Promise.reject(new LocalClientError("lost"));
    const id = this.#nextId;
    this.#nextId += 1;
    const pending: Pending = { answered: Promise.withResolvers<JsonValue>(), progress };
    this.#pending.set(id, pending);
    this.#line.send({ type: "request", id, op, args });
    const cancel = () => {
      const late = signal !== undefined && isTimeUp(signal) ? { late: true } : {};
      this.#line.send({ type: "cancel", id, ...late });
    };
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    return pending.answered.promise.finally(() => signal?.removeEventListener("abort", cancel));
  }

  close(): void {
    this.#line.end();
  }

  #read(value: JsonValue): void {
    if (!isServerFrame(value)) {
      this.#line.destroy();
      return;
    }
    const frame: ServerFrame = value;
    switch (frame.type) {
      case "challenge":
        this.#restoreName = takeName(provenName(frame.nonce, this.#options.address));
        this.#line.send({ type: "proof" });
        break;
      case "standing":
        this.#restoreName();
        this.#restoreName = () => {};
        this.#options.standing(frame.standing, frame.code);
        break;
      case "changed":
        this.#options.changed();
        break;
      case "progress":
        this.#pending.get(frame.id)?.progress?.(frame.progress);
        break;
      case "answer":
        this.#take(frame.id)?.answered.resolve(frame.answer);
        break;
      case "failed":
        this.#take(frame.id)?.answered.reject(new LocalClientError(frame.why));
        break;
      default:
        assertNever(frame);
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

/** The token is only for a socket of this account's: in a folder for all, another could stand there. */
function isOwnSocket(address: string): boolean {
  if (process.platform === "win32") return true;
  const stat = lstatSync(address, { throwIfNoEntry: false });
  return stat?.isSocket() === true && stat.uid === process.geteuid?.();
}
