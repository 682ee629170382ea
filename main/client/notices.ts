import type { Notice } from "../../app/bridge/views.ts";
import type { HubAgent } from "../../app/grants/grant.ts";
import type { ProgramEvents } from "./program-events.ts";

/** These stay until their cause is gone: having read them is not enough. */
const STANDING: ReadonlySet<string> = new Set<Notice["code"]>(["log_rolled_back"]);

/** Notices that stay until the person dismisses them; one for each code. */
export class Notices {
  readonly #notices = new Map<Notice["code"], Notice>();
  readonly #events: ProgramEvents;

  constructor(events: ProgramEvents) {
    this.#events = events;
  }

  list(): readonly Notice[] {
    return [...this.#notices.values()];
  }

  add(notice: Notice): void {
    this.#notices.set(notice.code, notice);
    this.#events.changed("notices.changed");
  }

  /** Adds a name to a notice that lists names; the list lasts until it is dismissed. */
  name(code: "agents_lost" | "agents_found", name: string): void {
    const names = new Set([...Object.values(this.#notices.get(code)?.params ?? {}), name]);
    const params = [...names].map((each, index) => [`agent_${index}`, each] as const);
    this.add({ code, params: Object.fromEntries(params) });
  }

  dismiss(code: string): void {
    if (!STANDING.has(code)) this.settle(code);
  }

  /** The notice's cause is gone. */
  settle(code: string): void {
    for (const notice of this.list()) {
      if (notice.code === code) this.#notices.delete(notice.code);
    }
    this.#events.changed("notices.changed");
  }
}

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
