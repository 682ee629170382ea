import {
  type AgentNames,
  type AgentSigns,
  labelWith,
  lookOf,
  shownName,
} from "../../app/bridge/agent-names.ts";
import type { KeyMark } from "../../app/contract/key-mark.ts";
import type { PeerView } from "../../app/encryption/correspondence/ports.ts";
import { keyFingerprint } from "../../app/encryption/identity/key-fingerprint.ts";
import type { KnownAgent } from "../../app/grants/grant.ts";
import type { Translate } from "../../i18n/index.ts";
import { visibleText } from "../tools/visible-text.ts";

export interface NamingPorts {
  readonly agents: {
    list(): readonly KnownAgent[];
    agent(agentId: string): KnownAgent | undefined;
  };
  readonly petnames: { of(agentId: string): string | null };
  /** What is known of an agent's keys. */
  readonly book: { peer(agentId: string): PeerView | undefined };
  /** In the person's language as it is at that moment. */
  readonly texts: () => Translate;
}

/** What agents are called, and by what they are told apart. */
export class AgentNaming {
  readonly #ports: NamingPorts;

  constructor(ports: NamingPorts) {
    this.#ports = ports;
  }

  petname(agentId: string): string | null {
    return this.#ports.petnames.of(agentId);
  }

  key(agentId: string): KeyMark {
    const peer = this.#ports.book.peer(agentId);
    if (peer === undefined) return { kind: "unknown" };
    if (peer.changed_to !== null) return { kind: "in_doubt" };
    return { kind: "known", fingerprint: keyFingerprint(peer.key_id) };
  }

  /** All agents are looked at once, for as many as are asked about. */
  signs(): (agentId: string) => AgentSigns {
    const looks = new Map(
      this.#ports.agents.list().map((agent) => [agent.agent_id, this.#lookOf(agent)]),
    );
    const alike = Map.groupBy(looks.values(), (look) => look);
    return (agentId) => ({
      key_mark: this.key(agentId),
      name_is_shared: (alike.get(looks.get(agentId) ?? "")?.length ?? 0) > 1,
    });
  }

  /** The agents that a newcomer of this name could be taken for. */
  lookalikes(name: string): readonly string[] {
    const look = lookOf(visibleText(name));
    return this.#ports.agents
      .list()
      .filter((agent) => lookOf(visibleText(agent.name)) === look || this.#lookOf(agent) === look)
      .map(({ agent_id }) => agent_id);
  }

  /** As plain text, told apart from all others; null: there is no such agent. */
  label(agentId: string): string | null {
    const agent = this.#ports.agents.agent(agentId);
    if (agent === undefined) return null;
    return this.labelOf(this.#namesOf(agent), this.signs()(agentId));
  }

  labelOf(names: AgentNames, signs: AgentSigns): string {
    const t = this.#ports.texts();
    return labelWith(visibleText(shownName(names)), signs, (kind) => t(`agents.key_is.${kind}`));
  }

  #namesOf({ agent_id, name }: KnownAgent): AgentNames {
    return { name, petname: this.petname(agent_id) };
  }

  #lookOf(agent: KnownAgent): string {
    return lookOf(visibleText(shownName(this.#namesOf(agent))));
  }
}
