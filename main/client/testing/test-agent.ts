import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../app/contract/json.ts";
import {
  type AgentClock,
  type AgentCredentials,
  type HasheeAgent,
  ToolCallError,
  type ToolResponseFields,
} from "../../../sdk/index.ts";

/** From here on it is a limit, which a slow machine needs, and no back-off. */
const LIMIT_MS = 10_000;

/** The back-off runs ten times faster; the order of things is the same. */
export const fastClock: AgentClock = {
  after(ms, run) {
    const timer = setTimeout(run, ms < LIMIT_MS ? ms / 10 : ms);
    return () => clearTimeout(timer);
  },
  now: () => Date.now(),
  random: () => 0.5,
};

/** Longer than any test. */
export const PATIENT = { timeoutMs: 600_000 };

export type Outcome = { readonly result: unknown } | { readonly refused: string };

/** An agent on the real SDK, whose calls resolve to what they came to. */
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
      const reason = "reason" in error ? String(error.reason) : error.code;
      return { refused: reason };
    }
  }

  notify = (title = "Hello", callId?: string) => this.call("send_notification", { title }, callId);
  write = (text = "text", callId?: string) => this.call("write_clipboard", { text }, callId);

  /** Sends an artifact as it is and resolves with the response to `call_id`. */
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
      if (event.type !== "artifact_response" || !isIt(event)) return;
      done.abort();
      heard.resolve(event.payload);
    }, done.signal);
    return heard.promise;
  }
}
