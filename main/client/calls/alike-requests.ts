import type { Verdict } from "../../../app/consent/verdict.ts";
import type { ConsentRequest } from "../../../app/contract/consent-request.ts";
import { canonicalJson } from "../../../app/contract/digest.ts";
import type { CallObserver, Question } from "../../../app/execution/live-calls.ts";

/** Kinds that are remembered; the oldest is forgotten first. */
const KINDS = 1_000;

type Alike = Pick<ConsentRequest, "agent_id" | "tool_name" | "subject">;

/** How often each agent has asked for the same since the program started: its tool, in one folder or at one host. */
export class AlikeRequests implements CallObserver {
  readonly #counts = new Map<string, number>();

  asked(question: Question): void {
    const key = keyOf(question);
    const count = this.count(question) + 1;
    this.#counts.delete(key);
    this.#counts.set(key, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > KINDS && oldest !== undefined) this.#counts.delete(oldest);
  }

  /** One that is decided anew counts when it is asked again. */
  settled(question: Question, { kind }: Verdict): void {
    const key = keyOf(question);
    const count = this.#counts.get(key);
    if (kind === "reconsider" && count !== undefined) this.#counts.set(key, count - 1);
  }

  count(request: Alike): number {
    return this.#counts.get(keyOf(request)) ?? 0;
  }
}

const keyOf = ({ agent_id, tool_name, subject }: Alike): string =>
  canonicalJson([agent_id, tool_name, subject]);
