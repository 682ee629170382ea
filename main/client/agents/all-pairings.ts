import type { PairingView } from "../../../app/bridge/agent-views.ts";
import type { ChannelPairing, ChannelPairings } from "../../channels/channel.ts";
import { markOf } from "../../names/looks.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { AgentNaming } from "./agent-naming.ts";
import { scopeView } from "./scope-view.ts";

/** The hub's pairings; they are answered there. */
interface HubPairings {
  list(): readonly PairingView[];
  answer(pairingId: string, accept: boolean, scopes: readonly string[]): Promise<void>;
}

/** Somebody asks to be added or was answered: an agent may be new, and a name may look like another one's. */
export const pairingsChanged = (events: ProgramEvents): void =>
  events.changed("pairings.changed", "agents.changed", "conversations.changed", "consents.changed");

/** Everybody who asks to be added, whatever the channel. */
export class AllPairings {
  readonly #hub: HubPairings;
  readonly #others: readonly ChannelPairings[];
  readonly #naming: Pick<AgentNaming, "lookalikes">;

  constructor(
    hub: HubPairings,
    others: readonly ChannelPairings[],
    naming: Pick<AgentNaming, "lookalikes">,
  ) {
    this.#hub = hub;
    this.#others = others;
    this.#naming = naming;
  }

  list(): readonly PairingView[] {
    const others = this.#others.flatMap((pairings) => pairings.list());
    return [...this.#hub.list(), ...others.map((pairing) => this.#view(pairing))];
  }

  async answer(pairingId: string, accept: boolean, scopes: readonly string[]): Promise<void> {
    const other = this.#others.find((pairings) =>
      pairings.list().some(({ pairing_id }) => pairing_id === pairingId),
    );
    await (other ?? this.#hub).answer(pairingId, accept, scopes);
  }

  #view({ manifest, scopes, name, ...pairing }: ChannelPairing): PairingView {
    const { agent_id } = pairing.local;
    return {
      ...pairing,
      name,
      lookalikes: this.#naming.lookalikes(name).filter((each) => each !== agent_id),
      name_mark: markOf(name),
      scopes: manifest.permission_scopes
        .filter(({ id }) => scopes.includes(id))
        .map((scope) => scopeView(manifest, scope)),
      warnings: [],
      problems: [],
    };
  }
}
