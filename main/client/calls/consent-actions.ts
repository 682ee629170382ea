import { randomUUID } from "node:crypto";
import type { AgentWords } from "../../../app/bridge/agent-views.ts";
import type { CallArgs, RootTerms } from "../../../app/bridge/calls.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { ConsentCard, HeldDenialView } from "../../../app/bridge/consent-views.ts";
import type { ConsentQueue, WaitingRequest } from "../../../app/consent/consent-queue.ts";
import {
  answersAll,
  type GivenAnswers,
  questionsIn,
} from "../../../app/contract/asked-questions.ts";
import { type ConsentRequest, isApproval } from "../../../app/contract/consent-request.ts";
import { manifestScope, manifestTool } from "../../../app/contract/manifest.ts";
import { personsWords } from "../../../app/contract/persons-words.ts";
import { mayShareCard } from "../../../app/contract/request-group.ts";
import { wantedBy } from "../../../app/execution/examine-call.ts";
import type { LiveCalls } from "../../../app/execution/live-calls.ts";
import type { ToolBox } from "../../../app/execution/ports.ts";
import type { AnsweredRoot, KnownAgent } from "../../../app/grants/grant.ts";
import type { AgentReader } from "../../storage/index.ts";
import { isReached } from "../../tools/files/paths/folder-links.ts";
import { isFolder } from "../../tools/files/paths/folder-preflight.ts";
import { pathPlatform } from "../../tools/files/paths/path-rules.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import { realFile, realFolder } from "../agents/real-folder.ts";
import { lastingFrom, rootTerms } from "../agents/rules.ts";
import { agentWords } from "../agents/scope-view.ts";
import type { AnnouncedRequests } from "./announced-requests.ts";

const PLATFORM = pathPlatform(process.platform);

interface ConsentParts {
  readonly queue: ConsentQueue;
  readonly tools: ToolBox;
  readonly agents: AgentReader;
  readonly naming: Pick<AgentNaming, "petname" | "signs">;
  readonly announced: Pick<AnnouncedRequests, "folded">;
  readonly live: Pick<LiveCalls, "end">;
  /** Milliseconds on the trusted clock. */
  readonly now: () => number;
}

/** The person's actions at a consent card. */
export class ConsentActions {
  readonly #queue: ConsentQueue;
  readonly #tools: ToolBox;
  readonly #agents: AgentReader;
  readonly #naming: Pick<AgentNaming, "petname" | "signs">;
  readonly #announced: Pick<AnnouncedRequests, "folded">;
  readonly #live: Pick<LiveCalls, "end">;
  readonly #now: () => number;

  constructor({ queue, tools, agents, naming, announced, live, now }: ConsentParts) {
    this.#live = live;
    this.#queue = queue;
    this.#tools = tools;
    this.#agents = agents;
    this.#naming = naming;
    this.#announced = announced;
    this.#now = now;
  }

  cards(): readonly ConsentCard[] {
    return this.#drawn(this.#queue.waiting());
  }

  /** The denials that can still be taken back. */
  denials(): readonly HeldDenialView[] {
    return this.#queue.held().flatMap(({ leaves_in_ms, ...held }) => {
      const cards = this.#drawn([{ ...held, remaining_ms: null, held_ms: 0 }]);
      return cards.map((card) => ({ card, leaves_in_ms }));
    });
  }

  #drawn(waiting: readonly WaitingRequest[]): readonly ConsentCard[] {
    if (waiting.length === 0) return [];
    const signs = this.#naming.signs();
    return waiting.map(({ request, remaining_ms, held_ms, asked_at }) => {
      const agent = this.#agents.agent(request.agent_id);
      // A request made under an earlier key no longer waits, so the request's key is the agent's present one.
      const sign = signs(request.agent_id);
      // What an agent does itself, it does in its project.
      const project = request.decided_only ? (sign.project_folder ?? []) : [];
      return {
        ...sign,
        ...request,
        remaining_ms,
        held_ms,
        asked_at,
        petname: this.#naming.petname(request.agent_id),
        folded: this.#announced.folded(request),
        in_own_conversation: isOwn(request, agent),
        said: saidBy(agent, request),
        folders: [agent?.roots.filter(isFolder).map(({ path }) => path) ?? [], project].flat(),
      };
    });
  }

  /** @throws BridgeError `not_found` */
  opened(requestId: string): void {
    const fault = this.#queue.opened(requestId);
    if (fault !== null) throw bridgeError(fault);
  }

  /** @throws BridgeError `not_found`, `too_early` */
  reading(requestId: string): void {
    const fault = this.#queue.reading(requestId);
    if (fault !== null) throw bridgeError(fault);
  }

  /** @throws BridgeError `not_found`, `too_early` */
  read(requestId: string): void {
    const fault = this.#queue.read(requestId);
    if (fault !== null) throw bridgeError(fault);
  }

  /** @throws BridgeError `not_found`, `too_early` */
  held(requestId: string, held: boolean): void {
    const fault = this.#queue.holding(requestId, held);
    if (fault !== null) throw bridgeError(fault);
  }

  /** @throws BridgeError `not_found`, `not_offered`, `too_early`, `not_read`, `not_held`, `root_needed`, `root_elsewhere`, and as `rootFault` */
  async answer(given: CallArgs<"consent.answer">): Promise<void> {
    const { request_id, answer, root_path, root_terms, rule = null, undoable, chosen } = given;
    const early = this.#queue.faultOf(request_id, answer, root_path !== undefined, rule);
    if (early !== null) throw bridgeError(early);
    const { request } = this.#waiting(request_id);
    if (isApproval(answer) && !isAnswered(request, chosen)) throw bridgeError("not_offered");
    const root =
      isApproval(answer) && root_path !== undefined
        ? await this.#chosenRoot(request_id, root_path, root_terms)
        : null;
    const made = rule && { subject: rule.subject, ...lastingFrom(rule.time, this.#now()) };
    const fault = this.#queue.answer(request_id, answer, root, made, undoable, { chosen });
    if (fault !== null) throw bridgeError(fault);
  }

  /** @throws BridgeError `not_found` */
  denyAndTell({ request_id, message, undoable }: CallArgs<"consent.deny_and_tell">): void {
    const words = { message: personsWords(message) };
    const fault = this.#queue.answer(request_id, "deny", null, null, undoable, words);
    if (fault !== null) throw bridgeError(fault);
  }

  /** @throws BridgeError `not_found`, `not_offered` */
  answerThere(requestId: string): void {
    const { agent_id, call_id, dialog_after } = this.#waiting(requestId).request;
    if (!dialog_after) throw bridgeError("not_offered");
    this.#live.end({ agent_id, call_id }, "answered_there");
  }

  /** @throws BridgeError `not_found`: it has left */
  undo(requestId: string): void {
    const fault = this.#queue.undo(requestId);
    if (fault !== null) throw bridgeError(fault);
  }

  /**
   * Each of them by itself, with its own record; approvals count for all or for none. Of requests to
   * deny, those that are answered already are left out.
   * @throws BridgeError `not_found`, `not_offered`, `too_early`
   */
  answerGroup({ answers, undoable }: CallArgs<"consent.answer_group">): void {
    const cards = new Map(this.cards().map((card) => [card.request_id, card]));
    const asked = answers.flatMap(({ request_id }) => cards.get(request_id) ?? []);
    if (new Set(asked.map(({ agent_id }) => agent_id)).size > 1) throw bridgeError("not_offered");
    for (const { request_id, answer, rule = null } of answers) {
      if (!isApproval(answer)) continue;
      const card = cards.get(request_id);
      if (card === undefined) throw bridgeError("not_found");
      if (!mayShareCard(card)) throw bridgeError("not_offered");
      const fault = this.#queue.faultOf(request_id, answer, false, rule);
      if (fault !== null) throw bridgeError(fault);
    }
    for (const { request_id, answer, rule = null } of answers) {
      const chosen = rule && { subject: rule.subject, ...lastingFrom(rule.time, this.#now()) };
      this.#queue.answer(request_id, answer, null, chosen, undoable);
    }
  }

  #waiting(requestId: string): WaitingRequest {
    const found = this.#queue.waiting().find(({ request }) => request.request_id === requestId);
    if (found === undefined) throw bridgeError("not_found");
    return found;
  }

  /** The folder or file counts only if the call asked for one and would work with it. */
  async #chosenRoot(
    requestId: string,
    typed: string,
    given: RootTerms | undefined,
  ): Promise<AnsweredRoot | null> {
    const { request } = this.#waiting(requestId);
    const wanted = request.root_wanted;
    if (wanted === null) return null;
    const terms = given ?? { only_file: false, access: wanted.access, time: "always" };
    const { path } = terms.only_file
      ? { path: await realFile(wanted.file) }
      : await realFolder(typed);
    const { link } = wanted;
    const root = { path, ...rootTerms(terms, this.#now()), ...(link && { link }) };
    const isThere = link === undefined || isReached(link, root, PLATFORM);
    if (!isThere || !this.#wouldWork(request, root)) throw bridgeError("root_elsewhere");
    return root;
  }

  #wouldWork(request: ConsentRequest, root: AnsweredRoot): boolean {
    const candidate = { ...root, root_id: randomUUID(), added_at: 0 };
    const { roots = [], hosts = [] } = this.#agents.agent(request.agent_id) ?? {};
    return wantedBy(this.#tools, request, { roots: [candidate, ...roots], hosts }) === null;
  }
}

/** A question of an agent's is allowed by answering it, and nothing else has answers. */
const isAnswered = (request: ConsentRequest, chosen: GivenAnswers | undefined): boolean =>
  request.tool_name === "answer_question"
    ? answersAll(questionsIn(request.arguments), chosen)
    : chosen === undefined;

function saidBy(agent: KnownAgent | undefined, { scope, tool_name }: ConsentRequest): AgentWords {
  if (agent === undefined) return agentWords(undefined, []);
  const tool = manifestTool(agent.manifest, tool_name);
  return agentWords(manifestScope(agent.manifest, scope), tool === undefined ? [] : [tool]);
}

/** Only the hub's agents can have other conversations besides the one with the person. */
const isOwn = ({ conversation_id }: ConsentRequest, agent: KnownAgent | undefined): boolean =>
  agent !== undefined && (agent.relation?.conversation_id ?? conversation_id) === conversation_id;
