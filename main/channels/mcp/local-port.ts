import { assertNever } from "../../../app/contract/assert-never.ts";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";
import { LocalClient, LocalClientError, type LocalClientOptions } from "../local/local-client.ts";
import { ASK_AGAIN } from "../local/local-frames.ts";
import {
  type Absence,
  AbsenceError,
  type AgentPort,
  type AskAnswer,
  isAskAnswer,
  isOffer,
  type Offer,
  type Waiting,
} from "./agent-port.ts";
import {
  type AgentTask,
  type CallAnswer,
  type CancelAnswer,
  isCallAnswer,
  isCallProgress,
  isCancelAnswer,
  isTaskAnswer,
  isTaskList,
  type TaskAnswer,
} from "./call-answer.ts";

export interface LocalPortOptions extends Pick<LocalClientOptions, "address" | "session"> {
  /** What the client calls itself, once it has said so. */
  readonly name: () => string;
  readonly token: (name: string) => string;
  /** Starts the program where it does not run; resolves when it may be reached, or cannot be started. */
  readonly start: () => Promise<void>;
}

interface Connection {
  readonly client: LocalClient;
  /** Null: paired. */
  absence(): Absence | null;
  /** Settles with the first word on where it stands. */
  readonly known: Promise<void>;
}

/** An agent behind the local socket. It connects when it is needed, and again when that was lost. */
export class LocalPort implements AgentPort {
  readonly #options: LocalPortOptions;
  readonly #listeners = new Set<() => void>();
  #connecting: Promise<Connection> | null = null;

  constructor(options: LocalPortOptions) {
    this.#options = options;
  }

  async offer(): Promise<Offer> {
    return this.#request("offer", {}, isOffer);
  }

  call(tool: string, args: JsonObject, waiting: Waiting): Promise<CallAnswer> {
    const { task } = waiting;
    const wait = {
      progress: waiting.progress !== null,
      ...(task === undefined ? {} : { task: { ...task } }),
    };
    return this.#request("call", { tool, arguments: args, ...wait }, isCallAnswer, waiting);
  }

  collect(ticket: string, waiting: Waiting): Promise<CallAnswer> {
    const progress = waiting.progress !== null;
    return this.#request("collect", { ticket, progress }, isCallAnswer, waiting);
  }

  task(ticket: string, waiting: Waiting | null): Promise<TaskAnswer> {
    const progress = (waiting?.progress ?? null) !== null;
    const args = { ticket, wait: waiting !== null, progress };
    return this.#request("task", args, isTaskAnswer, waiting ?? undefined);
  }

  tasks(): Promise<readonly AgentTask[]> {
    return this.#request("tasks", {}, isTaskList);
  }

  cancelTask(ticket: string): Promise<CancelAnswer> {
    return this.#request("cancel_task", { ticket }, isCancelAnswer);
  }

  async ask(scopes: readonly string[], waiting: Waiting): Promise<AskAnswer> {
    const connection = await this.#connected();
    if (connection.absence()?.kind === "not_asked") {
      // Where that fails, the absence says why.
      await connection.client.request(ASK_AGAIN, {}).catch(() => null);
    }
    const absence = connection.absence();
    if (absence !== null) throw new AbsenceError(absence);
    return this.#request("ask", { scopes }, isAskAnswer, waiting);
  }

  onChanged(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  async close(): Promise<void> {
    (await this.#connecting?.catch(() => null))?.client.close();
  }

  async #request<Answer>(
    op: string,
    args: JsonObject,
    isAnswer: (value: unknown) => value is Answer,
    waiting?: Waiting,
  ): Promise<Answer> {
    const { client, ...connection } = await this.#connected();
    const absence = connection.absence();
    if (absence !== null) throw new AbsenceError(absence);
    const progress = (told: JsonValue) => {
      if (isCallProgress(told)) waiting?.progress?.(told);
    };
    try {
      const answer = await client.request(op, args, {
        progress,
        ...(waiting === undefined ? {} : { signal: waiting.signal }),
      });
      if (isAnswer(answer)) return answer;
    } catch (error) {
      if (!(error instanceof LocalClientError)) throw error;
      if (error.code === "not_paired") throw new AbsenceError({ kind: "not_asked" });
      if (error.code === "unknown_op" || error.code === "invalid_arguments") {
        throw new AbsenceError({ kind: "other_version" });
      }
    }
    throw new AbsenceError({ kind: "lost" });
  }

  async #connected(): Promise<Connection> {
    this.#connecting ??= this.#connect().catch((error: unknown) => {
      this.#connecting = null;
      throw error;
    });
    const connection = await this.#connecting;
    await connection.known;
    return connection;
  }

  async #connect(): Promise<Connection> {
    const open = () => this.#open();
    return open().catch(async () => {
      await this.#options.start();
      return open().catch(() => {
        throw new AbsenceError({ kind: "not_running" });
      });
    });
  }

  async #open(): Promise<Connection> {
    const { address, session, token } = this.#options;
    const name = this.#options.name();
    const known = Promise.withResolvers<void>();
    const lost: Absence = { kind: "lost" };
    let absence: Absence | null = lost;
    const client = await LocalClient.connect({
      address,
      session,
      name,
      token: token(name),
      standing: (standing, code) => {
        absence = absenceOf(standing, code);
        known.resolve();
        this.#tell();
      },
      changed: () => this.#tell(),
      closed: () => {
        this.#connecting = null;
        absence = lost;
        known.resolve();
        this.#tell();
      },
    });
    return { client, absence: () => absence, known: known.promise };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function absenceOf(
  standing: Parameters<LocalClientOptions["standing"]>[0],
  code: string | null,
): Absence | null {
  switch (standing) {
    case "paired":
      return null;
    case "waiting":
      return { kind: "waiting", code };
    case "refused":
    case "not_asked":
      return { kind: standing };
    default:
      return assertNever(standing);
  }
}
