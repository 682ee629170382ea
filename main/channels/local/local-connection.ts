import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { assertNever } from "../../../app/contract/assert-never.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import { askingProgram, systemProcesses } from "./asking-program.ts";
import { tokenDigest } from "./client-book.ts";
import { LineSocket } from "./line-socket.ts";
import { LocalOpError, type LocalOps, timeIsUp } from "./local-call.ts";
import type { LocalClients, Standing } from "./local-clients.ts";
import {
  ASK_AGAIN,
  type ClientFrame,
  type Hello,
  isClientFrame,
  type ServerFrame,
} from "./local-frames.ts";
import type { Visitor } from "./local-pairings.ts";
import { provenName } from "./prove-process.ts";

export interface LocalDoorParts {
  readonly address: string;
  readonly clients: LocalClients;
  readonly ops: LocalOps;
  /** A paired client is there; the returned function says that it is gone. */
  came(agentId: string): () => void;
  report(error: unknown): void;
}

/** Requests that one client may have under way. */
const REQUESTS_AT_MOST = 64;

type Stage =
  | { readonly is: "new" }
  | { readonly is: "challenged"; readonly hello: Hello; readonly nonce: string }
  | { readonly is: "known"; readonly hello: Hello; readonly visitor: Visitor };

/** One program at the private socket: who it is, where it stands, and what it asks for. */
export class LocalConnection {
  readonly #line: LineSocket;
  readonly #parts: LocalDoorParts;
  readonly #running = new Map<number, AbortController>();
  #stage: Stage = { is: "new" };
  #standing: Standing | null = null;
  #left: (() => void) | null = null;

  constructor(socket: Socket, parts: LocalDoorParts, closed: () => void) {
    this.#parts = parts;
    socket.unref();
    this.#line = new LineSocket(socket, {
      line: (value) => this.#read(value),
      closed: () => {
        for (const running of this.#running.values()) running.abort();
        this.#left?.();
        this.#left = null;
        this.#stage = { is: "new" };
        closed();
      },
    });
  }

  end(): void {
    this.#line.end();
  }

  changed(agentId: string): void {
    if (this.#standing?.word === "paired" && this.#standing.agent_id === agentId) {
      this.#send({ type: "changed" });
    }
  }

  standingChanged(): void {
    if (this.#stage.is !== "known") return;
    this.#stands(this.#parts.clients.standing(this.#stage.visitor));
  }

  #read(value: JsonValue): void {
    if (!isClientFrame(value)) {
      this.#line.destroy();
      return;
    }
    const frame: ClientFrame = value;
    switch (frame.type) {
      case "hello":
        if (this.#stage.is === "new") this.#greet(frame);
        else this.#line.destroy();
        break;
      case "proof":
        if (this.#stage.is === "challenged") this.#meet(this.#stage.hello, this.#stage.nonce);
        else this.#line.destroy();
        break;
      case "request":
        void this.#run(frame);
        break;
      case "cancel":
        this.#running.get(frame.id)?.abort(frame.late ? timeIsUp() : undefined);
        break;
      default:
        assertNever(frame);
    }
  }

  #greet(hello: Hello): void {
    if (systemProcesses.process(hello.pid) === null) {
      this.#meet(hello, null);
      return;
    }
    const nonce = randomUUID();
    this.#stage = { is: "challenged", hello, nonce };
    this.#send({ type: "challenge", nonce });
  }

  /** What the client says of its process counts only if that process has just proven it. */
  #meet(hello: Hello, nonce: string | null): void {
    const isProven = () =>
      nonce !== null &&
      systemProcesses.ownName(hello.pid) === provenName(nonce, this.#parts.address);
    const seen = isProven() ? askingProgram(systemProcesses, hello.pid) : null;
    const program = isProven() ? seen : null;
    const visitor = { token_digest: tokenDigest(hello.token), name: hello.name, program };
    this.#stage = { is: "known", hello, visitor };
    this.#stands(this.#parts.clients.meet(visitor));
  }

  /** Asking the person may already have told the same. */
  #stands(standing: Standing): void {
    if (JSON.stringify(standing) === JSON.stringify(this.#standing)) return;
    this.#standing = standing;
    this.#left?.();
    this.#left = standing.word === "paired" ? this.#parts.came(standing.agent_id) : null;
    const code = standing.word === "waiting" ? standing.code : null;
    this.#send({ type: "standing", standing: standing.word, code });
  }

  async #run({ id, op, args }: Extract<ClientFrame, { type: "request" }>): Promise<void> {
    const fail = (why: Extract<ServerFrame, { type: "failed" }>["why"]) =>
      this.#send({ type: "failed", id, why });
    if (this.#stage.is === "known" && op === ASK_AGAIN) {
      this.#stands(this.#parts.clients.meet(this.#stage.visitor));
      return this.#send({ type: "answer", id, answer: null });
    }
    if (this.#stage.is !== "known" || this.#standing?.word !== "paired") return fail("not_paired");
    const handler = Object.hasOwn(this.#parts.ops, op) ? this.#parts.ops[op] : undefined;
    if (handler === undefined) return fail("unknown_op");
    if (this.#running.has(id) || this.#running.size >= REQUESTS_AT_MOST)
      return this.#line.destroy();
    const controller = new AbortController();
    this.#running.set(id, controller);
    const agent = { agent_id: this.#standing.agent_id, session: this.#stage.hello.session };
    try {
      const answer = await handler(args, agent, {
        signal: controller.signal,
        progress: (progress) => this.#send({ type: "progress", id, progress }),
      });
      this.#send({ type: "answer", id, answer });
    } catch (error) {
      if (error instanceof LocalOpError) return fail("invalid_arguments");
      this.#parts.report(error);
      fail("internal_error");
    } finally {
      this.#running.delete(id);
    }
  }

  #send(frame: ServerFrame): void {
    this.#line.send(frame);
  }
}
