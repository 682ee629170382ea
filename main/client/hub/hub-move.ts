import { randomUUID } from "node:crypto";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { HubFault, HubMoved } from "../../../app/bridge/hub-calls.ts";
import { toBase64 } from "../../../app/contract/base64.ts";
import type { E2eeClient } from "../../../app/encryption/e2ee/e2ee-client.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { HubAgent } from "../../../app/grants/grant.ts";
import { encodeHubMove, HUB_MOVED_SUBTYPE } from "../../../app/protocol/v1/hub-move.ts";
import type { Hub } from "../../../hub/index.ts";
import type { HubChannel } from "../../channels/hub-channel.ts";
import { hubLedgers } from "../../channels/hub-keys.ts";
import { hubRequest, hubRest, hubRestError } from "../../channels/hub-rest.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import type { HubAgentReader } from "../agents/known-agents.ts";
import type { ChangingHub } from "../program-parts.ts";
import { hubLinkIn } from "../program-parts.ts";
import type { AgentStates } from "./presence.ts";
import type { RelationSync } from "./relation-sync.ts";

/** How long the hub that is left may take to store a notice, in milliseconds. */
const TELL_WITHIN_MS = 10_000;

export interface HubMovePorts {
  readonly hub: ChangingHub;
  readonly agents: HubAgentReader;
  readonly statuses: Pick<AgentStates, "of">;
  readonly naming: Pick<AgentNaming, "label">;
  readonly e2ee: Pick<E2eeClient, "cardOf">;
  readonly sync: Pick<RelationSync, "forget">;
  readonly line: () => Pick<HubChannel, "post" | "renew">;
  readonly clock: { now(): number };
  readonly scheduler: Scheduler;
  readonly report: (error: unknown) => void;
}

/** Moves the person to another hub, and takes along the agents that can be told (contract §8). */
export class HubMoves {
  readonly #ports: HubMovePorts;
  #isMoving = false;

  constructor(ports: HubMovePorts) {
    this.#ports = ports;
  }

  /**
   * @param text an address or an invitation; null: back to the program's own hub
   * @throws BridgeError `hub_link_unusable`, `already_running`, and why that hub does not let this device in
   */
  async move(text: string | null): Promise<HubMoved> {
    const { hub } = this.#ports;
    const link = text === null ? null : (hubLinkIn(text.trim()) ?? unusable());
    if (this.#isMoving) throw bridgeError("already_running");
    this.#isMoving = true;
    try {
      const target = await hub.reach(link);
      if (target.url === hub.url) unusable();
      // Whoever is not let in stays where they are.
      await target.issueAccessToken();
      return await this.#moveTo(target);
    } catch (error) {
      throw hubRestError.is(error) ? bridgeError(hubFault(error.code)) : error;
    } finally {
      this.#isMoving = false;
    }
  }

  async #moveTo(target: Hub): Promise<HubMoved> {
    const { hub, agents, statuses, naming, sync, line } = this.#ports;
    const added = agents.list().filter((each) => statuses.of(each.agent_id).relation !== "revoked");
    const told = await Promise.all(added.map((agent) => this.#takeAlong(agent, target)));
    await hub.become(target);
    // Each hub counts manifests by itself.
    sync.forget();
    line().renew();
    const untold = added.filter((_, index) => told[index] !== true);
    return { untold: untold.map(({ agent_id, name }) => naming.label(agent_id) ?? name) };
  }

  /** True: it is registered there under its ids, and will hear of it here. */
  async #takeAlong(agent: HubAgent, target: Hub): Promise<boolean> {
    const { statuses, e2ee, report } = this.#ports;
    const { agent_id, name, manifest, relation } = agent;
    const { delivery } = statuses.of(agent_id);
    const card = e2ee.cardOf(agent_id);
    // One that is called has its webhook here, and another's cannot be registered there.
    if (delivery === "webhook" || card === undefined) return false;
    try {
      const request = hubRequest(target.url, () => target.issueAccessToken());
      const arrival = { ...relation, name, manifest, identity_card: toBase64(card) };
      const { token } = await hubRest(request).bringAgent(agent_id, arrival);
      await this.#copyLedger(relation.relation_id, hubLedgers(request));
      return await this.#tell(agent, target.url, token);
    } catch (error) {
      report(error);
      return false;
    }
  }

  async #copyLedger(relationId: string, there: ReturnType<typeof hubLedgers>): Promise<void> {
    const { hub } = this.#ports;
    const here = hubLedgers(hubRequest(hub.url, () => hub.issueAccessToken()));
    const entries = await here.entries(relationId);
    const { length } = await there.entries(relationId);
    for (const [index, entry] of entries.entries()) {
      if (index >= length) await there.append(relationId, index, entry);
    }
  }

  async #tell(agent: HubAgent, hub: string, token: string | null): Promise<boolean> {
    const { line, clock, scheduler } = this.#ports;
    const notice = {
      conversation_id: agent.relation.conversation_id,
      client_message_id: randomUUID(),
      content_type: "artifact",
      msg_subtype: HUB_MOVED_SUBTYPE,
      payload: encodeHubMove({ hub, token, moved_at: clock.now() }),
    } as const;
    return new Promise((resolve) => {
      const cancel = scheduler.after(TELL_WITHIN_MS, () => resolve(false));
      const end = (isTold: boolean) => {
        cancel();
        resolve(isTold);
      };
      line().post(notice, { acked: () => end(true), refused: () => end(false) });
    });
  }
}

const unusable = (): never => {
  throw bridgeError("hub_link_unusable");
};

/** What a page says of a hub that does not let this device in. */
export function hubFault(code: string): HubFault {
  return HUB_FAULTS.get(code) ?? "hub_unreachable";
}

const HUB_FAULTS: ReadonlyMap<string, HubFault> = new Map([
  ["UNAUTHENTICATED", "hub_not_invited"],
  ["INVITATION_INVALID", "invitation_unusable"],
  ["ACCOUNT_SUSPENDED", "account_suspended"],
  ["hub_other_address", "hub_other_address"],
  ["hub_certificate_expired", "hub_certificate_expired"],
  ["hub_certificate_name", "hub_certificate_name"],
  ["hub_certificate_untrusted", "hub_certificate_untrusted"],
]);
