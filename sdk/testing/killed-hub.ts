import { onTestFinished } from "vitest";
import { MemoryRecords } from "../../app/encryption/testing/correspondents.ts";
import { KillableHub } from "../../hub/testing/killable-hub.ts";
import { type AgentCredentials, HasheeAgent, type PairOptions } from "../index.ts";
import { realClock } from "../options.ts";
import { MANIFEST } from "./start-agent.ts";
import { WritingPerson } from "./writing-person.ts";

/** `CONSENTRY_HUB_KILLS=200` for a long look. */
export const KILLS = Number(process.env.CONSENTRY_HUB_KILLS ?? 8);
/** What each side writes in each conversation between two kills. */
export const TEXTS_BETWEEN = Number(process.env.CONSENTRY_HUB_TEXTS ?? 8);
export const LIMIT_MS = 120_000 + KILLS * 5_000;

/** How long an answer may take, in milliseconds, on a busy machine. */
const ANSWER_LIMIT_MS = 10_000;

/** Waits twenty times shorter between attempts; the order of things is the same. */
export const hasty = {
  ...realClock,
  after(ms: number, run: () => void) {
    const isWait = ms < 60_000 && ms !== ANSWER_LIMIT_MS;
    return realClock.after(isWait ? ms / 20 : ms, run);
  },
};

export interface MetAgent {
  readonly agent: HasheeAgent;
  readonly credentials: AgentCredentials;
}

/** A hub to be killed, a person, and agents the person added. */
export class KilledHub {
  readonly #hub = new KillableHub();
  readonly #closing: (() => unknown)[] = [];
  #person: WritingPerson | undefined;
  #url = "";
  #userId = "";

  static async start(): Promise<KilledHub> {
    const killed = new KilledHub();
    onTestFinished(() => killed.#end());
    killed.closing(() => killed.#hub.end());
    const said = await killed.#hub.start();
    killed.#url = said.url;
    killed.#userId = said.userId;
    killed.#person = new WritingPerson(said, hasty);
    killed.closing(() => killed.person.leave());
    await killed.person.arrive();
    return killed;
  }

  get url(): string {
    return this.#url;
  }

  get userId(): string {
    return this.#userId;
  }

  get person(): WritingPerson {
    if (this.#person === undefined) throw new Error("not started");
    return this.#person;
  }

  async add(name: string, over: Partial<PairOptions> = {}): Promise<MetAgent> {
    const keyStore = new MemoryRecords();
    const pairing = HasheeAgent.pair({
      name,
      manifest: MANIFEST,
      baseUrl: this.#url,
      onCode: () => {},
      clock: hasty,
      connectTimeoutMs: Number.POSITIVE_INFINITY,
      // As many calls as can be lost.
      callsAtOnce: Number.POSITIVE_INFINITY,
      keyStore,
      ...over,
    });
    await this.person.accept();
    const { agent, credentials } = await pairing;
    this.closing(() => agent.disconnect());
    return { agent, credentials };
  }

  /** SIGKILL, and the same database and port again. */
  async killAndStart(): Promise<void> {
    await this.#hub.kill();
    this.person.token = (await this.#hub.start()).token;
  }

  closing(close: () => unknown): void {
    this.#closing.push(close);
  }

  async #end(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
  }
}
