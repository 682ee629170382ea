import type { Notice } from "../../../app/bridge/views.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";

/** These stay until what they tell of is dealt with: having read them is not enough. */
const STANDING: ReadonlySet<string> = new Set<Notice["code"]>(["log_rolled_back"]);

/** What the person must be told until they say they have read it; one notice a code. */
export class Notices {
  readonly #notices = new Map<Notice["code"], Notice>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  list(): readonly Notice[] {
    return [...this.#notices.values()];
  }

  add(notice: Notice): void {
    this.#notices.set(notice.code, notice);
    this.#onChange();
  }

  dismiss(code: string): void {
    if (!STANDING.has(code)) this.settle(code);
  }

  /** What the notice tells of is dealt with. */
  settle(code: string): void {
    for (const notice of this.list()) {
      if (notice.code === code) this.#notices.delete(notice.code);
    }
    this.#onChange();
  }
}

/** Leads to the conversations with these agents, where their histories can be deleted. */
export const fullHistoriesNotice = (
  agents: readonly KnownAgent[],
  label: (agentId: string) => string | null,
): Notice => ({
  code: "history_full",
  params: {},
  conversations: agents.map(({ agent_id, name, conversation_id }) => ({
    conversation_id,
    title: label(agent_id) ?? name,
  })),
});
