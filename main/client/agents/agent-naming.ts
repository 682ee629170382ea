import { basename } from "node:path";
import { type AgentSigns, labelWith, shownName } from "../../../app/bridge/agent-views.ts";
import type { KeyMark } from "../../../app/contract/key-mark.ts";
import type { PeerView } from "../../../app/encryption/e2ee/ports.ts";
import { keyFingerprint } from "../../../app/encryption/identity/fingerprint.ts";
import { isHubAgent, type KnownAgent } from "../../../app/grants/grant.ts";
import type { Translate } from "../../../i18n/index.ts";
import { Looks, markOf } from "../../names/looks.ts";
import type { SettingsReader, SettingsWriter } from "../../storage/index.ts";
import { visibleText } from "../../tools/platform/notification-fold.ts";

export interface NamingPorts {
  readonly agents: {
    list(): readonly KnownAgent[];
    agent(agentId: string): KnownAgent | undefined;
  };
  readonly petnames: { of(agentId: string): string | null };
  /** What is known about an agent's keys. */
  readonly book: { peer(agentId: string): PeerView | undefined };
  /** Full path of the folder from which a program on this computer was connected. */
  readonly folderOf: (agentId: string) => string | null;
  /** In the person's current language. */
  readonly texts: () => Translate;
}

/** Agents' names, and how agents are distinguished. */
export class AgentNaming {
  readonly #ports: NamingPorts;

  constructor(ports: NamingPorts) {
    this.#ports = ports;
  }

  petname(agentId: string): string | null {
    return this.#ports.petnames.of(agentId);
  }

  key(agentId: string): KeyMark {
    const agent = this.#ports.agents.agent(agentId);
    if (agent !== undefined && !isHubAgent(agent)) return { kind: "none" };
    const peer = this.#ports.book.peer(agentId);
    if (peer === undefined) return { kind: "unknown" };
    if (peer.changed_to !== null) return { kind: "in_doubt" };
    return { kind: "known", fingerprint: keyFingerprint(peer.key_id) };
  }

  /** Compares all agents once, however many are asked about. */
  signs(): (agentId: string) => AgentSigns {
    const { agents } = this.#ports;
    const looks = this.#looks();
    return (agentId) => {
      const agent = agents.agent(agentId);
      const shown = agent === undefined ? "" : this.#shownName(agent);
      const name_is_shared = looks.isShared(agentId, shown);
      const folder = this.#ports.folderOf(agentId);
      return {
        key_mark: this.key(agentId),
        name_is_shared,
        name_mark: markOf(shown),
        ...(folder === null ? {} : { project: basename(folder), project_folder: folder }),
      };
    };
  }

  /** The agents whose own or given name a newcomer's name looks like. */
  lookalikes(name: string): readonly string[] {
    const looks = this.#looks();
    for (const agent of this.#ports.agents.list()) looks.add(agent.agent_id, agent.name);
    return [...looks.holders(name)];
  }

  /** Whether somebody who is not one of the person's agents has a name that looks like theirs. */
  borrowing(): (member: { member_id: string; name: string | null }) => boolean {
    const looks = this.#looks();
    return ({ member_id, name }) =>
      name !== null &&
      this.#ports.agents.agent(member_id) === undefined &&
      looks.holders(name).size > 0;
  }

  /** A distinct name in plain text; null: there is no such agent. */
  label(agentId: string): string | null {
    const agent = this.#ports.agents.agent(agentId);
    if (agent === undefined) return null;
    const t = this.#ports.texts();
    const drawn = visibleText(this.#shownName(agent));
    return labelWith(t, drawn, this.signs()(agentId));
  }

  #shownName({ agent_id, name }: KnownAgent): string {
    return shownName({ name, petname: this.petname(agent_id) });
  }

  #looks(): Looks<string> {
    const looks = new Looks<string>();
    for (const agent of this.#ports.agents.list())
      looks.add(agent.agent_id, this.#shownName(agent));
    return looks;
  }
}

const keyOf = (agentId: string): string => `petname ${agentId}`;

/** The names that the person gave agents, durable like settings. */
export class Petnames {
  readonly #settings: SettingsReader & SettingsWriter;

  constructor(settings: SettingsReader & SettingsWriter) {
    this.#settings = settings;
  }

  of(agentId: string): string | null {
    return this.#settings.value(keyOf(agentId)) ?? null;
  }

  /** @throws StoreError */
  async set(agentId: string, petname: string | null): Promise<void> {
    const key = keyOf(agentId);
    await (petname === null
      ? this.#settings.removeValue(key)
      : this.#settings.putValue(key, petname.trim()));
  }
}
