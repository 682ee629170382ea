import type { PairingView } from "../../../app/bridge/agent-views.ts";
import type { ChannelPairing, ChannelPairings, ConnectTerms } from "../../channels/channel.ts";
import { programKey } from "../../channels/local/asking-program.ts";
import { markOf } from "../../names/looks.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { AgentNaming } from "./agent-naming.ts";
import { scopeView } from "./scope-view.ts";

/** The hub's pairings; they are answered there. */
interface HubPairings {
  list(): readonly PairingView[];
  answer: ChannelPairings["answer"];
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
    const others = this.#waiting().filter(
      (each, at, all) => all.findIndex((other) => isSameProgram(each, other)) === at,
    );
    return [...this.#hub.list(), ...others.map((pairing) => this.#view(pairing))];
  }

  async answer(
    pairingId: string,
    accept: boolean,
    scopes: readonly string[],
    terms: ConnectTerms = {},
  ): Promise<void> {
    const asked = this.#waiting().find(({ pairing_id }) => pairing_id === pairingId);
    if (asked === undefined) return this.#hub.answer(pairingId, accept, scopes, terms);
    const halves = this.#waiting().filter((each) => isSameProgram(each, asked));
    for (const { pairings, pairing_id, scopes: offered } of halves) {
      // Once one half is connected, the other may have come in with it.
      if (pairings.list().some((each) => each.pairing_id === pairing_id)) {
        const own = pairing_id === pairingId ? scopes : offered;
        await pairings.answer(pairing_id, accept, accept ? own : [], terms);
      }
    }
  }

  /** What programs on this computer ask, on all channels. */
  #waiting(): readonly Asked[] {
    return this.#others.flatMap((pairings) =>
      pairings.list().map((pairing) => ({ ...pairing, pairings })),
    );
  }

  #view({ manifest, scopes, name, pairings: _, ...pairing }: Asked): PairingView {
    const { agent_id, same_as } = pairing.local;
    return {
      ...pairing,
      name,
      lookalikes: this.#naming
        .lookalikes(name)
        .filter((each) => each !== agent_id && each !== same_as),
      name_mark: markOf(name),
      scopes: manifest.permission_scopes
        .filter(({ id }) => scopes.includes(id))
        .map((scope) => scopeView(manifest, scope)),
      warnings: [],
      problems: [],
    };
  }
}

interface Asked extends ChannelPairing {
  readonly pairings: ChannelPairings;
}

/** Itself, or its other half: one program that asks for its tools and for its hooks is one question. */
function isSameProgram(one: Asked, other: Asked): boolean {
  if (one.pairing_id === other.pairing_id) return true;
  const { local } = one;
  const connects = local.asks === "connect" && other.local.asks === "connect";
  const key = programKey(local.program);
  const isSame = key !== null && key === programKey(other.local.program) && one.name === other.name;
  return connects && isSame && one.pairings !== other.pairings;
}
