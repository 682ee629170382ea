import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonValue } from "../../../app/contract/json.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { ChannelHost } from "../channel.ts";
import { timeIsUp } from "../local/local-call.ts";
import type { LocalClients } from "../local/local-clients.ts";
import type { Visitor } from "../local/local-pairings.ts";
import { LoopbackDoor, onceClosed } from "../local/loopback-door.ts";
import { type DenialCode, denial, type HookDecision, httpAnswer } from "./hook-answer.ts";
import type { HookDesk } from "./hook-desk.ts";
import { HTTP_HOOK_AGENT, HTTP_HOOK_LIMIT_MS } from "./hook-http-settings.ts";
import { hookInput, readHookInput } from "./hook-question.ts";
import { readHookReport } from "./hook-report.ts";

const LOOK_MS = 250;
/** Reports hold the whole output of a tool. */
const REPORT_BYTES = 64 * 1024 * 1024;

export interface HookHttpDoorParts {
  readonly dataDir: string;
  readonly host: Pick<ChannelHost, "settings" | "report">;
  readonly clients: LocalClients;
  readonly desk: HookDesk;
  readonly scheduler: Scheduler;
  readonly came: (agentId: string) => () => void;
}

/** Hooks of type `http`, on loopback: one question for each request. */
export class HookHttpDoor {
  readonly door: LoopbackDoor;
  readonly #parts: HookHttpDoorParts;
  readonly #ended = new AbortController();

  constructor(parts: HookHttpDoorParts) {
    this.#parts = parts;
    this.door = new LoopbackDoor({
      dataDir: parts.dataDir,
      host: parts.host,
      clients: parts.clients,
      addressFile: "hooks.url",
      path: `/hooks/${HTTP_HOOK_AGENT}`,
      origin: "none",
      portKept: "hook_http_port",
      serve: (agentId, visitor, request, response) =>
        this.#serve(agentId, visitor, request, response),
      end: async () => this.#ended.abort(),
    });
  }

  async #serve(
    agentId: string,
    visitor: Visitor,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const bytes = request.method === "POST" ? await bytesOf(request) : new Uint8Array();
    const report = readHookReport(HTTP_HOOK_AGENT, bytes);
    const left = this.#parts.came(agentId);
    try {
      const said =
        report === null
          ? httpAnswer(await this.#decide(agentId, visitor, hookInput(bytes), response))
          : await this.#report(agentId, visitor, report);
      response.writeHead(200, { "Content-Type": "application/json" }).end(said);
    } finally {
      left();
    }
  }

  /** Like a hook of its own process: everything that is not an allowance is a denial. */
  async #decide(
    agentId: string,
    visitor: Visitor,
    input: JsonValue,
    response: ServerResponse,
  ): Promise<HookDecision> {
    const read = readHookInput(HTTP_HOOK_AGENT, input);
    if (read.kind !== "question") return denial(read.kind);
    const { session, ...asked } = read.question;
    const late = new AbortController();
    const cancel = this.#parts.scheduler.after(HTTP_HOOK_LIMIT_MS, () => late.abort(timeIsUp()));
    const gone = new AbortController();
    onceClosed(response, () => {
      cancel();
      gone.abort();
    });
    const ended = AbortSignal.any([gone.signal, this.#ended.signal, late.signal]);
    const standing = await this.#letIn(visitor, ended);
    if (standing !== null) return denial(standing);
    const verdict = await this.#parts.desk.decide({ agent_id: agentId, session }, asked, ended);
    return verdict.kind === "allowed" ? { allow: true } : denial(verdict.reason, verdict.message);
  }

  /** Another program with this token is shown to the person first. Null: it may ask. */
  async #letIn(visitor: Visitor, ended: AbortSignal): Promise<DenialCode | null> {
    for (;;) {
      const { word } = this.#parts.clients.standing(visitor);
      if (word === "paired") return null;
      if (word !== "waiting") return word;
      if (ended.aborted) return "no_answer";
      await wait(LOOK_MS, undefined, { signal: ended }).catch(() => {});
    }
  }

  async #report(
    agent_id: string,
    visitor: Visitor,
    report: Exclude<ReturnType<typeof readHookReport>, null>,
  ): Promise<string> {
    const isKnown = this.#parts.clients.standing(visitor).word === "paired";
    if (isKnown && report !== "unreadable") {
      const { question, status, result_digest } = report;
      const { session, ...asked } = question;
      await this.#parts.desk.report({ agent_id, session }, { ...asked, status, result_digest });
    }
    return "{}";
  }
}

/** Nothing of what is too long: no agent sends that. */
async function bytesOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > REPORT_BYTES) return new Uint8Array();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
