import type { Notice } from "../../app/bridge/views.ts";
import type { HubAgent } from "../../app/grants/grant.ts";
import type { ProgramEvents } from "./program-events.ts";

type Code = Notice["code"];

/** These stay until their cause is gone: having read them is not enough. */
const STANDING: ReadonlySet<string> = new Set<Code>(["log_rolled_back"]);

interface Kept extends Omit<Notice, "code"> {
  /** Whom it is about, such as agents by their id; none: it is about the program. */
  readonly subjects: ReadonlyMap<string, Notice["params"]>;
}

/** Notices that stay until the person dismisses them or their cause is gone; one for each code. */
export class Notices {
  readonly #kept = new Map<Code, Kept>();
  readonly #events: ProgramEvents;

  constructor(events: ProgramEvents) {
    this.#events = events;
  }

  list(): readonly Notice[] {
    return [...this.#kept].map(([code, { subjects, params, ...more }]) => ({
      code,
      params: subjects.size === 0 ? params : together([...subjects.values()]),
      ...more,
    }));
  }

  add({ code, ...notice }: Notice): void {
    this.#kept.set(code, { ...notice, subjects: new Map() });
    this.#events.changed("notices.changed");
  }

  /** Adds one to those that a notice is about. */
  about(code: Code, subject: string, params: Notice["params"]): void {
    const subjects = new Map(this.#kept.get(code)?.subjects).set(subject, params);
    this.#kept.set(code, { params: {}, subjects });
    this.#events.changed("notices.changed");
  }

  dismiss(code: string): void {
    if (!STANDING.has(code)) this.settle(code);
  }

  /** The notice's cause is gone. */
  settle(code: string): void {
    for (const kept of [...this.#kept.keys()]) if (kept === code) this.#kept.delete(kept);
    this.#events.changed("notices.changed");
  }

  /** The cause is gone for all that a notice is about, except those for which it holds. */
  keep(code: Code, holds: (subject: string) => boolean): void {
    const before = this.#kept.get(code);
    if (before === undefined || before.subjects.size === 0) return;
    const subjects = new Map([...before.subjects].filter(([subject]) => holds(subject)));
    if (subjects.size === before.subjects.size) return;
    if (subjects.size === 0) this.#kept.delete(code);
    else this.#kept.set(code, { ...before, subjects });
    this.#events.changed("notices.changed");
  }
}

/** Numbered where they are of several. */
const together = (all: readonly Notice["params"][]): Notice["params"] =>
  Object.fromEntries(
    all.flatMap((params, index) =>
      Object.entries(params).map(([key, value]) => [index === 0 ? key : `${key}_${index}`, value]),
    ),
  );

/** Links to the conversations with these agents, where their histories can be deleted. */
export const fullHistoriesNotice = (
  agents: readonly HubAgent[],
  label: (agentId: string) => string | null,
): Notice => ({
  code: "history_full",
  params: {},
  conversations: agents.map(({ agent_id, name, relation: { conversation_id } }) => ({
    conversation_id,
    title: label(agent_id) ?? name,
  })),
});
