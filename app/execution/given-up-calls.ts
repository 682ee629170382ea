import type { ToolResponse } from "../contract/tool-call.ts";

interface UnderWay {
  readonly answer: Promise<ToolResponse | null>;
  isGivenUp: boolean;
}

interface CallName {
  readonly agent_id: string;
  readonly call_id: string;
}

/**
 * Calls from their arrival to their answer. An agent may give one up at any moment of it, also
 * while neither the consent desk nor the running calls know it; so the wish is kept until then.
 */
export class GivenUpCalls {
  readonly #underWay = new Map<string, UnderWay>();

  /** From here until `answer` settles, the call can be given up. */
  track(call: CallName, answer: Promise<ToolResponse | null>): Promise<ToolResponse | null> {
    const key = keyOf(call);
    const entry = { answer, isGivenUp: this.has(call) };
    this.#underWay.set(key, entry);
    return answer.finally(() => {
      // A resend of the call has an entry of its own, with the wish of this one.
      if (this.#underWay.get(key) === entry) this.#underWay.delete(key);
    });
  }

  has(call: CallName): boolean {
    return this.#underWay.get(keyOf(call))?.isGivenUp ?? false;
  }

  /** @returns its answer; `undefined` for a call that is not under way */
  giveUp(call: CallName): Promise<ToolResponse | null> | undefined {
    const entry = this.#underWay.get(keyOf(call));
    if (entry === undefined) return undefined;
    entry.isGivenUp = true;
    return entry.answer;
  }
}

const keyOf = ({ agent_id, call_id }: CallName): string => JSON.stringify([agent_id, call_id]);
