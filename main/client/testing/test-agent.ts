import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../app/contract/json.ts";
import { reconnectDelayMs } from "../../../app/protocol/link/connection.ts";
import {
  type AgentClock,
  type AgentCredentials,
  type HasheeAgent,
  isToolResponse,
  ToolCallError,
  type ToolResponseFields,
} from "../../../sdk/index.ts";

const CHANCE = 0.5;
/**
 * Every pause of the back-off (contract §8). A client that starts slowly costs an agent several of
 * them, and the last ones are longer than a test waits.
 */
const PAUSES = new Set([0, 1, 2, 3, 4, 5].map((attempt) => reconnectDelayMs(attempt, CHANCE)));
const PAUSE_MS = 100;
/** Milliseconds: longer timers are time limits, which a slow machine needs unchanged. */
const LIMIT_MS = 10_000;

/** Shortens the back-off to 100 ms, and runs other short timers ten times faster. */
export const fastClock: AgentClock = {
  after(ms, run) {
    const shortMs = ms < LIMIT_MS ? ms / 10 : ms;
    const timer = setTimeout(run, PAUSES.has(ms) ? PAUSE_MS : shortMs);
    return () => clearTimeout(timer);
  },
  now: () => Date.now(),
  random: () => CHANCE,
};

/** Longer than any test. */
export const PATIENT = { timeoutMs: 600_000 };

export type Outcome = { readonly result: unknown } | { readonly refused: string };

/** An agent on the real SDK, whose calls resolve to their outcome. */
export class TestAgent {
  readonly sdk: HasheeAgent;
  readonly credentials: AgentCredentials;

  constructor(sdk: HasheeAgent, credentials: AgentCredentials) {
    this.sdk = sdk;
    this.credentials = credentials;
  }

  get id(): string {
    return this.credentials.agentId;
  }

  async call(name: string, args: JsonObject = {}, callId: string = randomUUID()): Promise<Outcome> {
    const { conversationId } = this.credentials;
    try {
      const options = { ...PATIENT, callId };
      return { result: await this.sdk.callTool(conversationId, name, args, options) };
    } catch (error) {
      if (!(error instanceof ToolCallError)) throw error;
      const reason = "reason" in error.failure ? error.failure.reason : error.code;
      return { refused: reason };
    }
  }

  notify = (title = "Hello", callId?: string) => this.call("send_notification", { title }, callId);
  write = (text = "text", callId?: string) => this.call("write_clipboard", { text }, callId);

  /** Sends an artifact unchanged and resolves with the response to `call_id`. */
  async artifact(artifact: JsonObject, call_id: string): Promise<ToolResponseFields> {
    const answered = this.answerTo(({ payload }) => payload.call_id === call_id);
    await this.sdk.sendArtifact(this.credentials.conversationId, { artifact });
    return await answered;
  }

  answerTo(
    isIt: (event: { readonly payload: ToolResponseFields }) => boolean,
  ): Promise<ToolResponseFields> {
    const heard = Promise.withResolvers<ToolResponseFields>();
    const done = new AbortController();
    this.sdk.addEventHandler((event) => {
      if (!isToolResponse(event) || !isIt(event)) return;
      done.abort();
      heard.resolve(event.payload);
    }, done.signal);
    return heard.promise;
  }
}
