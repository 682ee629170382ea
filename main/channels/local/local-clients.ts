import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { LocalDelivery, LocalPairing } from "../../../app/bridge/agent-views.ts";
import { assertNever } from "../../../app/contract/assert-never.ts";
import { digestOf } from "../../../app/contract/digest.ts";
import type { HookWay } from "../../../app/contract/hook-way.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import { isVisibleName } from "../../../app/contract/visible-name.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { Grant, KnownAgent } from "../../../app/grants/grant.ts";
import type { ChannelHost, ChannelPairing, ChannelPairings, ConnectTerms } from "../channel.ts";
import { programKey } from "./asking-program.ts";
import { ClientRecords } from "./client-records.ts";
import {
  type ChosenTerms,
  LocalPairings,
  type LocalQuestion,
  type Visitor,
} from "./local-pairings.ts";

/** Where a program on this computer stands with the person. */
export type ClientState =
  | { readonly word: "paired"; readonly agent_id: string }
  | { readonly word: "waiting"; readonly code: string }
  | { readonly word: "refused" | "not_asked" };

export interface LocalClientsParts {
  readonly host: ChannelHost;
  readonly scheduler: Scheduler;
  /** The channel that its agents belong to. */
  readonly channel: string;
  readonly manifest: Manifest;
  /** How its agents are reached. Hooks have no place to show the person a code. */
  readonly delivery: LocalDelivery;
  /** An agent is added in this way. */
  readonly connected?: (agentId: string, way: HookWay) => Promise<void>;
  /** The person has given this agent more. */
  readonly granted: (agentId: string) => void;
}

/** What MCP clients call themselves, and what people call them: as their hooks do. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map([
  ["claude-code", "Claude Code"],
  ["codex-mcp-client", "Codex"],
  ["cursor-vscode", "Cursor"],
  ["gemini-cli-mcp-client", "Gemini CLI"],
  ["goose", "Goose"],
  ["Visual Studio Code", "VS Code"],
]);

/** A name that shows something, however long or empty the one that was claimed. */
const UNNAMED = "MCP client";

/** The programs on this computer that are agents, or ask to be. */
export class LocalClients implements ChannelPairings {
  readonly #parts: LocalClientsParts;
  readonly #manifestHash: string;
  readonly #book: ClientRecords;
  readonly #pairings: LocalPairings;
  /** Says `change` when questions came or went. */
  readonly #changes = new EventEmitter().setMaxListeners(0);

  constructor(parts: LocalClientsParts) {
    this.#parts = parts;
    const { host, scheduler, manifest } = parts;
    // A checked manifest is a JSON value; its type merely names some of the members.
    this.#manifestHash = digestOf(manifest as unknown as JsonValue);
    this.#book = new ClientRecords(host.settings, () => this.#agents());
    this.#pairings = new LocalPairings({
      clock: host.clock,
      scheduler,
      changed: () => {
        host.pairingsChanged();
        this.#changes.emit("change");
      },
      accept: (question, chosen) => this.#accept(question, chosen),
    });
  }

  /** To that of a newer program: what it adds is not granted until the person grants it. */
  async renewManifests(): Promise<void> {
    const { host, manifest } = this.#parts;
    const manifest_hash = this.#manifestHash;
    for (const agent of this.#agents()) {
      if (agent.manifest_hash === manifest_hash) continue;
      const manifest_version = agent.manifest_version + 1;
      const renewed = { manifest, manifest_version, manifest_hash };
      await host.agents.replaceManifest(agent.agent_id, renewed);
    }
  }

  /** Where it stands; the first time, and from another program, the person is asked. */
  meet(visitor: Visitor): ClientState {
    const now = this.stateOf(visitor);
    if (now.word !== "not_asked") return now;
    const about = this.#about(visitor);
    const question = this.#pairings.ask({ ...about, scopes: this.#offered(about.asks) });
    if (question !== null && this.#isConnectedElsewhere(question)) {
      const { pairing_id, scopes } = question;
      void this.answer(pairing_id, true, scopes).catch(this.#parts.host.report);
    }
    return question === null ? now : { word: "waiting", code: question.code };
  }

  stateOf(visitor: Visitor): ClientState {
    const agent_id = this.#book.agentOf(visitor.token_digest);
    if (agent_id !== undefined && this.#book.knows(agent_id, programKey(visitor.program))) {
      return { word: "paired", agent_id };
    }
    const about = this.#about(visitor);
    if (this.#pairings.isRefused(about)) return { word: "refused" };
    const question = this.#pairings.waiting(about);
    if (question !== undefined) return { word: "waiting", code: question.code };
    return { word: "not_asked" };
  }

  /** The agent whose token this is. */
  agentOf(token_digest: string): string | undefined {
    return this.#book.agentOf(token_digest);
  }

  /**
   * Asks the person for permissions that an agent lacks.
   * @returns false when it was refused lately, or too many questions wait
   */
  askForMore(agent: KnownAgent, scopes: readonly string[]): boolean {
    const visitor = { token_digest: "", name: agent.name, program: null };
    const { agent_id } = agent;
    return this.#pairings.ask({ asks: "more_scopes", agent_id, visitor, scopes }) !== null;
  }

  /** The permissions that the open question for more is about; null: none is open for this agent. */
  askedFor(agent_id: string): readonly string[] | null {
    const isOpen = (each: LocalQuestion) =>
      each.asks === "more_scopes" && each.agent_id === agent_id;
    return this.#pairings.list().find(isOpen)?.scopes ?? null;
  }

  list(): readonly ChannelPairing[] {
    return this.#pairings.list().map((question) => ({
      pairing_id: question.pairing_id,
      code: question.code,
      name: question.visitor.name,
      manifest: this.#parts.manifest,
      scopes: question.scopes,
      expires_at: question.expires_at,
      local: { ...localView(question, this.#parts.delivery), same_as: this.#book.sameAs(question) },
    }));
  }

  answer(
    pairingId: string,
    accept: boolean,
    scopes: readonly string[],
    terms: ConnectTerms = {},
  ): Promise<void> {
    return this.#pairings.answer(pairingId, accept, { ...terms, scopes });
  }

  /** The agent was removed: its token leads nowhere. */
  forget(agentId: string): void {
    this.#pairings.forget(agentId);
    void this.#book.forget(agentId).catch((error) => this.#parts.host.report(error));
    this.#changes.emit("change");
  }

  /** Calls `listener` when questions came or went, until `signal` aborts. */
  onChanged(listener: () => void, signal: AbortSignal): void {
    this.#changes.on("change", listener);
    signal.addEventListener("abort", () => this.#changes.off("change", listener), { once: true });
  }

  /** Where it stands once the person has answered, or when `signal` aborts. */
  async decided(visitor: Visitor, signal: AbortSignal): Promise<ClientState> {
    for (;;) {
      const state = this.stateOf(visitor);
      if (state.word !== "waiting" || signal.aborted) return state;
      await once(this.#changes, "change", { signal }).catch(() => {});
    }
  }

  close(): void {
    this.#pairings.close();
  }

  #agents(): readonly KnownAgent[] {
    return this.#parts.host.agents.list().filter(({ channel }) => channel === this.#parts.channel);
  }

  #about(visitor: Visitor): Pick<LocalQuestion, "asks" | "visitor" | "agent_id"> {
    const agent_id = this.#book.agentOf(visitor.token_digest) ?? null;
    const known = agent_id === null ? undefined : this.#parts.host.agents.agent(agent_id);
    const name = known?.name ?? shortName(OWN_NAMES.get(visitor.name) ?? visitor.name);
    return {
      asks: agent_id === null ? "connect" : "other_program",
      agent_id,
      visitor: { ...visitor, name },
    };
  }

  /**
   * Whether the person has connected the same program over another channel, its tools or its hooks: then this is the
   * other half of it, and no second question. Once for each program, and only where the system says which it is.
   */
  #isConnectedElsewhere({ asks, visitor }: LocalQuestion): boolean {
    const key = programKey(visitor.program);
    if (asks !== "connect" || key === null) return false;
    const { host, channel } = this.#parts;
    const halves = host.agents
      .list()
      .filter(({ agent_id, name }) => name === visitor.name && this.#book.knows(agent_id, key));
    return halves.length > 0 && halves.every((half) => half.channel !== channel);
  }

  #offered(asks: LocalQuestion["asks"]): readonly string[] {
    return asks === "connect" ? this.#parts.manifest.permission_scopes.map(({ id }) => id) : [];
  }

  async #accept(question: LocalQuestion, chosen: ChosenTerms): Promise<void> {
    const { scopes, way = "ask_here", merge = false } = chosen;
    const { host } = this.#parts;
    const { token_digest, program, name } = question.visitor;
    switch (question.asks) {
      case "connect": {
        const same = merge ? this.#book.sameAs(question) : null;
        if (same !== null) {
          // What it may do, its rules and its lines in the log stay as they are.
          await this.#book.put(same, token_digest, program);
          this.#pairings.connected(token_digest, same);
          break;
        }
        const agent_id = `mcp-${randomUUID()}`;
        // The token first: an agent without one could never be reached, the other way round it asks again.
        await this.#book.put(agent_id, token_digest, program);
        await this.#parts.connected?.(agent_id, way);
        await host.agents.accept(this.#newAgent(agent_id, name, scopes));
        this.#pairings.connected(token_digest, agent_id);
        break;
      }
      case "other_program":
        if (question.agent_id !== null) {
          await this.#book.put(question.agent_id, token_digest, program);
        }
        break;
      case "more_scopes":
        if (question.agent_id !== null) {
          const changes = scopes.map((scope) => ({ scope, state: "granted" as const }));
          await host.agents.setGrants(question.agent_id, changes);
          this.#parts.granted(question.agent_id);
        }
        break;
      default:
        assertNever(question.asks);
    }
    host.changed();
  }

  #newAgent(agent_id: string, name: string, scopes: readonly string[]): KnownAgent {
    const { host, channel, manifest } = this.#parts;
    const now = host.clock.now();
    const manifest_hash = this.#manifestHash;
    const grants = scopes.map((scope): [string, Grant] => [
      scope,
      { scope, state: "granted", changed_at: now },
    ]);
    return {
      agent_id,
      name,
      channel,
      relation: null,
      manifest,
      manifest_version: 1,
      manifest_hash,
      reviewed_hash: manifest_hash,
      reviewed_manifest: manifest,
      grants: new Map(grants),
      roots: [],
      hosts: [],
      added_at: now,
    };
  }
}

const localView = (
  { asks, agent_id, visitor }: LocalQuestion,
  delivery: LocalDelivery,
): Omit<LocalPairing, "same_as"> => ({
  asks,
  agent_id,
  program: visitor.program,
  delivery,
  shows_code: delivery === "local" && asks !== "more_scopes",
});

const shortName = (claimed: string): string => {
  const short = [...claimed].slice(0, LIMITS.pairingNameChars).join("");
  return isVisibleName(short) ? short : UNNAMED;
};
