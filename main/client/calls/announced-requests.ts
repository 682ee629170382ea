import { type AgentSigns, labelWith, shownName } from "../../../app/bridge/agent-views.ts";
import type { ConsentCard } from "../../../app/bridge/consent-views.ts";
import type { Verdict } from "../../../app/consent/verdict.ts";
import { type CallName, callKey } from "../../../app/contract/tool-call.ts";
import type { CallObserver } from "../../../app/execution/live-calls.ts";
import type { ReadableArrival } from "../../../app/execution/ports.ts";
import type { Translate } from "../../../i18n/index.ts";
import {
  type Folding,
  foldedWords,
  shortened,
  visibleText,
} from "../../tools/platform/notification-fold.ts";
import type { NotificationText } from "../../tools/platform/platform-services.ts";

/**
 * How each waiting request is announced, decided once for all pages and hosts. Requests that an agent
 * makes and withdraws one after the other count like those that stay.
 */
export class AnnouncedRequests implements CallObserver {
  readonly #folding: Folding;
  readonly #folded = new Map<string, number>();

  constructor(folding: Folding) {
    this.#folding = folding;
  }

  asked(request: CallName): void {
    const key = callKey(request);
    if (!this.#folded.has(key)) this.#folded.set(key, this.#folding.folded(request.agent_id));
  }

  settled(request: CallName, { kind }: Verdict): void {
    if (kind !== "reconsider") this.#folded.delete(callKey(request));
  }

  /** Decided anew, it may not have been asked again. */
  closed({ agent_id, call }: ReadableArrival): void {
    this.#folded.delete(callKey({ agent_id, call_id: call.call_id }));
  }

  /** As `ConsentCard` has it. */
  folded(request: CallName): number {
    return this.#folded.get(callKey(request)) ?? 0;
  }
}

/** Returns the requests of each list that were not in the previous one. */
export function newRequestsFinder(): (cards: readonly ConsentCard[]) => readonly ConsentCard[] {
  let known: ReadonlySet<string> = new Set();
  return (cards) => {
    const before = known;
    known = new Set(cards.map((card) => card.request_id));
    return cards.filter((card) => !before.has(card.request_id));
  };
}

/** Characters of a name in a notification, too few for a message. */
const NAME_CHARS = 64;

type Announced = Pick<
  ConsentCard,
  | "agent_id"
  | "conversation_id"
  | "agent_name"
  | "petname"
  | "tool_name"
  | "folded"
  | keyof AgentSigns
>;

/** The system's notification of a request: agent and tool only. */
export function requestAnnouncement(t: Translate, card: Announced): NotificationText {
  const { agent_id, conversation_id, agent_name: name, petname, tool_name, folded } = card;
  const drawn = shortName(shownName({ name, petname }));
  const title = labelWith(t, drawn, card);
  const from = { agentId: agent_id, conversationId: conversation_id, agentName: title, title };
  return folded === 0
    ? { ...from, body: shortName(tool_name), replaces: null, folded }
    : { ...from, ...foldedWords(agent_id, folded, t) };
}

const shortName = (name: string): string => shortened(visibleText(name), NAME_CHARS);
