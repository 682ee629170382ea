import type { IncomingMessage, ServerResponse } from "node:http";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { ChannelHost } from "../channel.ts";
import { isLeft } from "../local/asking-program.ts";
import { timeIsUp } from "../local/local-call.ts";
import type { LocalClients } from "../local/local-clients.ts";
import type { Visitor } from "../local/local-pairings.ts";
import { LoopbackServer, onceClosed } from "../local/loopback-server.ts";
import { PrivateServer } from "../local/private-server.ts";
import { HOOK_SOCKET, socketAddress } from "../local/socket-address.ts";
import { HOOK_AGENTS, type HookAgent } from "./agent-tools.ts";
import {
  decisionOf,
  denial,
  formOf,
  type HeardDecision,
  type HookDecision,
  type HookForm,
  httpAnswer,
} from "./hook-answer.ts";
import type { HookCalls } from "./hook-calls.ts";
import { HTTP_HOOK_AGENT, HTTP_HOOK_LIMIT_MS } from "./hook-http-settings.ts";
import { type HookQuestion, hookInput, readHookInput } from "./hook-question.ts";
import { readHookReport, sessionThatWentOn } from "./hook-report.ts";
import { hookWayOf } from "./hook-ways.ts";

/** Reports hold the whole output of a tool. */
const REPORT_BYTES = 64 * 1024 * 1024;
/** An agent that is killed leaves its hook behind; between two looks, in milliseconds. */
const LOOKS_MS = 500;
const LONGEST_MS = 24 * 60 * 60 * 1_000;
const ROUTE = /^\/hooks\/([\w-]+)\/(hook|prompt)$/;

export interface HookServersParts {
  readonly dataDir: string;
  readonly host: Pick<ChannelHost, "settings" | "report">;
  readonly clients: LocalClients;
  readonly calls: HookCalls;
  readonly scheduler: Scheduler;
  readonly came: (agentId: string) => () => void;
}

/** Who asks or reports. */
interface Asking {
  readonly agent: HookAgent;
  readonly visitor: Visitor;
  /** The agent's `PATH`; null: not told. */
  readonly path: string | null;
}

/** Without it, no program is found. */
function pathIn({ headers }: IncomingMessage): string {
  try {
    return decodeURI(String(headers["consentry-path"] ?? ""));
  } catch {
    return "";
  }
}

/** One request for each question or report: from a hook's own process, or from the agent over HTTP on loopback. */
export class HookServers {
  readonly #parts: HookServersParts;
  readonly #loopback: LoopbackServer;
  readonly #private: PrivateServer;
  readonly #ended = new AbortController();

  constructor(parts: HookServersParts) {
    this.#parts = parts;
    const { dataDir, host, clients, scheduler } = parts;
    this.#loopback = new LoopbackServer({
      dataDir,
      host,
      clients,
      addressFile: "hooks.url",
      path: `/hooks/${HTTP_HOOK_AGENT}`,
      origin: "none",
      portKept: "hook_http_port",
      serve: async (_agentId, visitor, request, response) => {
        const late = new AbortController();
        const cancel = scheduler.after(HTTP_HOOK_LIMIT_MS, () => late.abort(timeIsUp()));
        onceClosed(response, cancel);
        const bytes = request.method === "POST" ? await bytesOf(request) : new Uint8Array();
        const asking: Asking = { agent: HTTP_HOOK_AGENT, visitor, path: null };
        const decision = await this.#heard(asking, bytes, response, late.signal);
        const said = decision === null ? "{}" : httpAnswer(decision);
        response.writeHead(200, { "Content-Type": "application/json" }).end(said);
      },
      end: async () => this.#ended.abort(),
    });
    this.#private = new PrivateServer({
      address: socketAddress(dataDir, HOOK_SOCKET),
      clients,
      url: () => this.#loopback.url,
      serve: async (visitor, request, response) => {
        const [, named, form] = ROUTE.exec(request.url ?? "") ?? [];
        const agent = HOOK_AGENTS.find((each) => each === named);
        if (agent === undefined) return void response.writeHead(404).end();
        const limit = Number(request.headers["consentry-limit-ms"]);
        const late = AbortSignal.timeout(limit > 0 && limit < LONGEST_MS ? limit : LONGEST_MS);
        const bytes = await bytesOf(request);
        const asking = { agent, visitor, path: pathIn(request) };
        const decision = await this.#heard(asking, bytes, response, late);
        response.end(decision === null ? "" : formOf(agent, form as HookForm, decision));
      },
      report: host.report,
    });
  }

  open(): void {
    this.#private.open();
    void this.#loopback.open().catch(this.#parts.host.report);
  }

  close(): void {
    this.#private.close();
    void this.#loopback.close().catch(this.#parts.host.report);
  }

  /** Null: a report, which nobody waits for. */
  async #heard(
    asking: Asking,
    bytes: Uint8Array,
    response: ServerResponse,
    late: AbortSignal,
  ): Promise<HeardDecision | null> {
    const { agent, visitor } = asking;
    const event = sessionThatWentOn(bytes);
    if (event !== null) {
      const known = this.#parts.clients.stateOf(visitor);
      if (known.word === "paired") this.#parts.calls.wentOn(known.agent_id, event);
      return null;
    }
    const report = readHookReport(agent, bytes);
    if (report === null) {
      const read = readHookInput(agent, hookInput(bytes));
      if (read.kind !== "question") return { ...denial(read.kind), event: "before" };
      const { event } = read.question;
      return { ...(await this.#decide(asking, read.question, response, late)), event };
    }
    if (report !== "unreadable") {
      void this.#report(asking, report).catch(this.#parts.host.report);
    }
    return null;
  }

  /** Everything that is not an allowance is a denial. A program that is new is shown to the person first. */
  async #decide(
    { agent, visitor, path }: Asking,
    { session, ...question }: HookQuestion,
    response: ServerResponse,
    late: AbortSignal,
  ): Promise<HookDecision & Pick<HeardDecision, "own_rules">> {
    const gone = new AbortController();
    const looking = setInterval(() => isLeft(visitor.program) && gone.abort(), LOOKS_MS);
    onceClosed(response, () => gone.abort());
    const ended = AbortSignal.any([gone.signal, this.#ended.signal, late]);
    let left = () => {};
    try {
      const state = await this.#parts.clients.decided(visitor, ended);
      if (state.word === "waiting") return denial("no_answer");
      if (state.word !== "paired") return denial(state.word);
      const { agent_id } = state;
      left = this.#parts.came(agent_id);
      const asked = { ...question, path };
      const verdict = await this.#parts.calls.decide(agent, { agent_id, session }, asked, ended);
      const way = hookWayOf(this.#parts.host.settings, agent_id);
      return { ...decisionOf(verdict), own_rules: way !== "check_everything" };
    } finally {
      clearInterval(looking);
      left();
    }
  }

  async #report(
    { visitor, path }: Asking,
    report: Exclude<ReturnType<typeof readHookReport>, null | "unreadable">,
  ): Promise<void> {
    const state = this.#parts.clients.stateOf(visitor);
    if (state.word !== "paired") return;
    const { agent_id } = state;
    this.#parts.came(agent_id)();
    const { session, ...question } = report.question;
    const { status, result_digest } = report;
    const reported = { ...question, path, status, result_digest };
    await this.#parts.calls.report({ agent_id, session }, reported);
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
