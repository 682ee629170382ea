import { randomBytes, randomUUID } from "node:crypto";
import type { AskingProgram, LocalAsk } from "../../../app/bridge/agent-views.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { Scheduler, TrustedClock } from "../../../app/execution/ports.ts";
import { pairingCode } from "../../../hub/tokens/random-text.ts";
import type { ConnectTerms } from "../channel.ts";
import { programKey } from "./asking-program.ts";

/** Who asks. */
export interface Visitor {
  /** SHA-256 of its token. */
  readonly token_digest: string;
  /** What it calls itself. */
  readonly name: string;
  readonly program: AskingProgram | null;
}

/** A question to the person that waits for their answer. */
export interface LocalQuestion {
  readonly pairing_id: string;
  readonly code: string;
  readonly asks: LocalAsk;
  readonly agent_id: string | null;
  readonly visitor: Visitor;
  /** What they may tick; empty: there is nothing to choose. */
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}

/** What the person chose with their answer. */
export interface ChosenTerms extends ConnectTerms {
  readonly scopes: readonly string[];
}

interface Ports {
  readonly clock: TrustedClock;
  readonly scheduler: Scheduler;
  /** The person has answered; rejects when that could not be stored, and the question stays. */
  accept(question: LocalQuestion, chosen: ChosenTerms): Promise<void>;
  changed(): void;
}

interface Entry {
  readonly question: LocalQuestion;
  readonly cancelExpiry: () => void;
}

const keyOf = ({
  asks,
  visitor,
  agent_id,
}: Pick<LocalQuestion, "asks" | "visitor" | "agent_id">) =>
  asks === "more_scopes"
    ? `more ${agent_id}`
    : `program ${visitor.token_digest} ${programKey(visitor.program)}`;

/**
 * What programs on this computer ask the person: three questions at most, each once, for five minutes.
 * A refused one is not asked again while this program runs, except for more permissions: those again
 * after five minutes.
 */
export class LocalPairings {
  readonly #ports: Ports;
  readonly #waiting = new Map<string, Entry>();
  readonly #refused = new Set<string>();
  /** Settles when the last answer so far is stored, or could not be. */
  #answered: Promise<void> = Promise.resolve();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  list(): readonly LocalQuestion[] {
    return [...this.#waiting.values()].map(({ question }) => question);
  }

  waiting(about: Pick<LocalQuestion, "asks" | "visitor" | "agent_id">): LocalQuestion | undefined {
    return this.#waiting.get(keyOf(about))?.question;
  }

  isRefused(about: Pick<LocalQuestion, "asks" | "visitor" | "agent_id">): boolean {
    return this.#refused.has(keyOf(about));
  }

  /** The question, whether it is new or waits already; null: it was refused, or too many wait. */
  ask(
    about: Pick<LocalQuestion, "asks" | "visitor" | "agent_id" | "scopes">,
  ): LocalQuestion | null {
    const key = keyOf(about);
    const known = this.#waiting.get(key)?.question;
    if (known !== undefined) return known;
    if (this.#refused.has(key) || this.#waiting.size >= LIMITS.pairingsWaiting) return null;
    const question: LocalQuestion = {
      ...about,
      pairing_id: randomUUID(),
      code: pairingCode(randomBytes),
      expires_at: this.#ports.clock.now() + LIMITS.pairingLifeMs,
    };
    const { scheduler } = this.#ports;
    const cancelExpiry = scheduler.after(LIMITS.pairingLifeMs, () => this.#close(key));
    this.#waiting.set(key, { question, cancelExpiry });
    this.#ports.changed();
    return question;
  }

  /**
   * Each answer once the one before is stored: of two to the same question the first counts.
   * @throws BridgeError `not_found`, `not_offered`; StoreError
   */
  answer(pairingId: string, accept: boolean, chosen: ChosenTerms): Promise<void> {
    const answered = this.#answered.then(() => this.#answerNow(pairingId, accept, chosen));
    this.#answered = answered.catch(() => {});
    return answered;
  }

  /** The token has become this agent's: other programs that wait with it ask to be let in as that agent. */
  connected(token_digest: string, agent_id: string): void {
    for (const [key, { question, cancelExpiry }] of this.#waiting) {
      if (question.asks !== "connect" || question.visitor.token_digest !== token_digest) continue;
      const asked = { ...question, asks: "other_program", agent_id, scopes: [] } as const;
      this.#waiting.set(key, { question: asked, cancelExpiry });
    }
  }

  /** The agent is no more, and asks for nothing. */
  forget(agentId: string): void {
    for (const [key, { question }] of this.#waiting) {
      if (question.agent_id === agentId) this.#close(key);
    }
  }

  close(): void {
    for (const { cancelExpiry } of this.#waiting.values()) cancelExpiry();
    this.#waiting.clear();
  }

  async #answerNow(pairingId: string, accept: boolean, chosen: ChosenTerms): Promise<void> {
    const question = this.list().find(({ pairing_id }) => pairing_id === pairingId);
    if (question === undefined) throw bridgeError("not_found");
    if (accept && chosen.scopes.some((scope) => !question.scopes.includes(scope))) {
      throw bridgeError("not_offered");
    }
    const key = keyOf(question);
    if (accept) await this.#ports.accept(question, chosen);
    else this.#refuse(key, question);
    this.#close(key);
  }

  #refuse(key: string, { asks }: LocalQuestion): void {
    this.#refused.add(key);
    if (asks !== "more_scopes") return;
    this.#ports.scheduler.after(LIMITS.pairingLifeMs, () => this.#refused.delete(key));
  }

  #close(key: string): void {
    const entry = this.#waiting.get(key);
    if (entry === undefined) return;
    entry.cancelExpiry();
    this.#waiting.delete(key);
    this.#ports.changed();
  }
}
