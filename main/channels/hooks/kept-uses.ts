import { digestOf } from "../../../app/contract/digest.ts";
import type { HookQuestion } from "./hook-question.ts";
import type { AskedCall } from "./read-tool.ts";

/** A use of a tool that an agent may report on. */
export interface KeptUse {
  /** Null: the agent decided by its own rules. */
  readonly call_id: string | null;
  /** Allowed before the agent's own rules were looked at: its own question about it is answered already. */
  readonly ahead: boolean;
  /** What files held before; null: nothing is kept. */
  readonly kept: number | null;
  readonly session: string;
  readonly tool: string;
  /** The agent's own name for this use of its tool; null: it has none. */
  readonly use: string | null;
  readonly arguments_digest: string;
  readonly core_digest: string;
}

type About = Omit<KeptUse, "call_id" | "kept" | "ahead">;

export const aboutUse = (
  session: string,
  { use }: Pick<HookQuestion, "use">,
  { tool, arguments: args }: AskedCall,
): About => {
  // What an agent says besides may differ between its question and its report.
  const { also: _, ...core } = args;
  const [arguments_digest, core_digest] = [digestOf(args), digestOf(core)];
  return { session, use, tool, arguments_digest, core_digest };
};

/** For each agent; an agent that never reports costs no more. */
const USES_KEPT = 64;

/** What agents may still report on, in memory only: a report after a restart belongs to nothing. */
export class KeptUses {
  readonly #byAgent = new Map<string, readonly KeptUse[]>();

  add(agentId: string, use: KeptUse): void {
    this.#byAgent.set(agentId, [...this.#of(agentId), use].slice(-USES_KEPT));
  }

  /** Whether the use that an agent's own question is about was allowed ahead of it. */
  isAllowed(agentId: string, about: About): boolean {
    return this.#same(agentId, about).some(({ ahead }) => ahead);
  }

  /** What was kept when the use that a question is about was only watched; null: nothing. */
  keptWatching(agentId: string, about: About): number | null {
    return this.#same(agentId, about).find(({ call_id }) => call_id === null)?.kept ?? null;
  }

  /** What a report is about, once. Two of one use: it was watched, and then asked about. */
  take(agentId: string, about: About): KeptUse | null {
    const uses = this.#of(agentId);
    const found = uses.filter((use) => isAbout(use, about));
    const decided = found.find(({ call_id }) => call_id !== null) ?? found[0];
    if (decided === undefined) return null;
    this.#byAgent.set(
      agentId,
      uses.filter((use) => use !== decided && !(use.call_id === null && found.includes(use))),
    );
    return decided;
  }

  forget(agentId: string): void {
    this.#byAgent.delete(agentId);
  }

  /** The same use, or else those with the same arguments. */
  #same(agentId: string, about: About): readonly KeptUse[] {
    const isExact = (use: KeptUse) => use.arguments_digest === about.arguments_digest;
    return this.#of(agentId).filter((use) => isSame(use, about) && isExact(use));
  }

  #of(agentId: string): readonly KeptUse[] {
    return this.#byAgent.get(agentId) ?? [];
  }
}

/** The folder that a command is in may be another one when it is over, so the use counts if there is one. */
const isAbout = (kept: KeptUse, about: About): boolean =>
  kept.use !== null && about.use !== null
    ? kept.session === about.session && kept.tool === about.tool && kept.use === about.use
    : isSame(kept, about);

/** An agent's own question does not name the use. */
export const isSame = (kept: KeptUse, about: About): boolean =>
  kept.session === about.session &&
  kept.tool === about.tool &&
  (kept.use === null || about.use === null || kept.use === about.use) &&
  kept.core_digest === about.core_digest;
