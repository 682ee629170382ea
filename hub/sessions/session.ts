import { assertNever } from "../../app/contract/assert-never.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../app/contract/json.ts";
import {
  AUTH_DEADLINE_MS,
  type AuthErrorFrame,
  type AuthFrame,
  ClientFrame,
  DEAD_AFTER_MS,
  isAuthFrame,
  isClientFrame,
  type NotLetIn,
  PING_INTERVAL_MS,
  type ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import { isUnavailable } from "../hub-error.ts";
import type { Scheduler } from "../hub-options.ts";
import type { Subject } from "../hub-records.ts";
import type { Connection } from "../lines/connections.ts";
import { CLOSE, type Line } from "../lines/line.ts";

export interface SessionHost {
  /** Lets somebody in when there is room for them: many who come at once take little from those who are in. */
  inTurn(letIn: () => Promise<void>): Promise<void>;
  /** @returns why the connection is refused, if it is */
  authenticate(frame: AuthFrame): Promise<Subject | NotLetIn>;
  connect(session: Session, subject: Subject): Connection;
  /** The connection counts from now on. @returns what it is told first, behind `auth.ok` */
  snapshot(connection: Connection): Promise<readonly ServerFrame[] | NotLetIn>;
  received(connection: Connection, frame: ClientFrame): Promise<void>;
  closed(connection: Connection): void;
  failed(error: unknown): void;
  /** The connection is gone, authenticated or not. */
  ended(session: Session): void;
}

const FAULTS_AT_MOST = 20;
const EARLY_FRAMES_AT_MOST = 64;
/** How much later the rest is read for each message over a limit, at most, in milliseconds. */
const HELD_BACK_MS = 20;
const SILENT_PINGS_AT_MOST = DEAD_AFTER_MS / PING_INTERVAL_MS;
const PING = JSON.stringify({ type: "ping" } satisfies ServerFrame);

type AuthFault = AuthErrorFrame["reason"];
const AUTH_FAULTS: Readonly<Record<AuthFault, string>> = {
  invalid_token: "The token is not valid for this connection.",
  auth_timeout: "No auth frame came in time.",
  malformed_frame: "The first frame was not an auth frame.",
  webhook_mode: "The hub calls this agent; it does not connect.",
  agent_removed: "The person has removed this agent.",
};
const FRAME_FAULTS = {
  malformed_frame: "The frame could not be read.",
  unknown_frame: "The hub does not know this type of frame.",
} as const;

/** One connection's life: greeting, checking, open, closed. Knows nothing of what frames do. */
export class Session {
  readonly line: Line;
  readonly #host: SessionHost;
  readonly #scheduler: Scheduler;
  #state: "greeting" | "checking" | "open" | "closed" = "greeting";
  #connection: Connection | undefined;
  #cancelTimer: () => void;
  #cancelHold: () => void = () => undefined;
  #heard = false;
  #silentPings = 0;
  #faults = 0;
  readonly #early: string[] = [];
  /** What is not answered yet. */
  readonly #acting = new Set<Promise<void>>();
  /** For how long it is not read. */
  #heldMs = 0;

  constructor(line: Line, host: SessionHost, scheduler: Scheduler) {
    this.line = line;
    this.#host = host;
    this.#scheduler = scheduler;
    this.#cancelTimer = scheduler.after(AUTH_DEADLINE_MS, () => this.#refuse("auth_timeout"));
    line.onClose(() => this.#end());
    line.onFrame((text) => this.#take(text));
  }

  send(frame: ServerFrame): void {
    this.line.send(JSON.stringify(frame));
  }

  /**
   * A sender over a limit is read more slowly. So a flood comes no faster than it is refused, and takes
   * little time from others.
   * @param mostMs how long what it sent would have to wait
   */
  holdBack(mostMs: number): void {
    const isHeld = this.#heldMs > 0;
    this.#heldMs = Math.min(this.#heldMs + HELD_BACK_MS, mostMs);
    if (isHeld || this.#isClosed()) return;
    this.line.pause?.();
    this.#readAgainLater();
  }

  #readAgainLater(): void {
    const ms = Math.min(this.#heldMs, HELD_BACK_MS);
    this.#cancelHold = this.#scheduler.after(ms, () => {
      this.#heldMs -= ms;
      if (this.#heldMs > 0) this.#readAgainLater();
      else this.line.resume?.();
    });
  }

  close(code: number, reason?: string): void {
    this.line.close(code, reason);
    this.#end();
  }

  /** Reads no more, and closes once what was read is answered. @param againMs when the client may come again */
  async leave(againMs: number): Promise<void> {
    this.line.pause?.();
    await Promise.allSettled([...this.#acting]);
    if (!this.#isClosed()) this.close(CLOSE.comeAgain, `retry_after_ms=${againMs}`);
  }

  #take(text: string): void {
    switch (this.#state) {
      case "greeting":
        this.#greet(text);
        break;
      case "checking":
        this.#keepForLater(text);
        break;
      case "open":
        this.#read(text);
        break;
      case "closed":
        break;
      default:
        assertNever(this.#state);
    }
  }

  #greet(text: string): void {
    const frame = parseFrame(text);
    if (frame === undefined || !isAuthFrame(frame)) {
      this.#refuse("malformed_frame");
      return;
    }
    this.#state = "checking";
    this.#host.inTurn(() => this.#letIn(frame)).catch((error: unknown) => this.fail(error));
  }

  async #letIn(frame: AuthFrame): Promise<void> {
    if (this.#isClosed()) return;
    const subject = await this.#host.authenticate(frame);
    if (this.#state !== "checking") return;
    if (typeof subject === "string") return this.#refuse(subject);
    const connection = this.#host.connect(this, subject);
    this.#connection = connection;
    const snapshot = await this.#host.snapshot(connection);
    if (this.#isClosed()) return;
    if (typeof snapshot === "string") return this.#refuse(snapshot);
    this.#cancelTimer();
    this.#state = "open";
    this.#pingLater();
    this.send({ type: "auth.ok", subject_id: subject.id });
    connection.begin(snapshot);
    for (const text of this.#early.splice(0)) this.#take(text);
  }

  #refuse(reason: AuthFault): void {
    if (this.#isClosed()) return;
    const i18n_key = `error.auth.${reason}`;
    this.send({ type: "auth.error", reason, message: AUTH_FAULTS[reason], i18n_key });
    this.close(CLOSE.authFailed);
  }

  #keepForLater(text: string): void {
    if (this.#early.length < EARLY_FRAMES_AT_MOST) this.#early.push(text);
    else this.close(CLOSE.tooManyFaults);
  }

  #read(text: string): void {
    this.#heard = true;
    const read = readClientFrame(text);
    if (read.kind === "fault") {
      this.#fault(read.code, read.params);
    } else if (this.#connection !== undefined) {
      const acted = this.#host
        .received(this.#connection, read.frame)
        .catch((error: unknown) => this.fail(error))
        .finally(() => this.#acting.delete(acted));
      this.#acting.add(acted);
    }
  }

  /** An internal error of the hub closes only this connection, which may reconnect. */
  fail(error: unknown): void {
    this.#host.failed(error);
    // Who is in stays while the database is away; who comes tries again.
    if (this.#state === "open" && isUnavailable(error)) return;
    this.close(CLOSE.internal);
  }

  #fault(code: keyof typeof FRAME_FAULTS, params: Readonly<Record<string, string>>): void {
    this.#faults += 1;
    const message = FRAME_FAULTS[code];
    this.send({
      type: "frame.error",
      error: { code, message, i18n_key: `error.frame.${code}`, params },
    });
    if (this.#faults >= FAULTS_AT_MOST) this.close(CLOSE.tooManyFaults);
  }

  /**
   * Counts silent intervals instead of reading a clock, so that neither a clock set forward nor sleep
   * ends a connection. Silence is noticed between 90 and 120 s after the last frame.
   */
  #pingLater(): void {
    this.#cancelTimer = this.#scheduler.after(PING_INTERVAL_MS, () => {
      this.#silentPings = this.#heard ? 0 : this.#silentPings + 1;
      this.#heard = false;
      if (this.#silentPings >= SILENT_PINGS_AT_MOST) return this.close(CLOSE.silent);
      this.line.send(PING);
      this.#pingLater();
    });
  }

  #isClosed(): boolean {
    return this.#state === "closed";
  }

  #end(): void {
    if (this.#isClosed()) return;
    this.#state = "closed";
    this.#cancelTimer();
    this.#cancelHold();
    this.#early.length = 0;
    if (this.#connection !== undefined) this.#host.closed(this.#connection);
    this.#host.ended(this);
  }
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(
  ClientFrame.anyOf.flatMap(({ properties: { type } }) =>
    "const" in type ? [type.const] : type.anyOf.map((each) => each.const),
  ),
);

type ReadFrame =
  | { readonly kind: "frame"; readonly frame: ClientFrame }
  | {
      readonly kind: "fault";
      readonly code: "malformed_frame" | "unknown_frame";
      /** Lets a sender find the message that was refused. */
      readonly params: Readonly<Record<string, string>>;
    };

function parseFrame(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readClientFrame(text: string): ReadFrame {
  const value = parseFrame(text);
  if (value !== undefined && isClientFrame(value)) return { kind: "frame", frame: value };
  const type = value === undefined ? undefined : ownValue(value, "type");
  const isUnknown = typeof type === "string" && !KNOWN_TYPES.has(type);
  const messageId = value === undefined ? undefined : ownValue(value, "client_message_id");
  return {
    kind: "fault",
    code: isUnknown ? "unknown_frame" : "malformed_frame",
    params:
      typeof messageId === "string" && messageId.length <= 128
        ? { client_message_id: messageId }
        : {},
  };
}
