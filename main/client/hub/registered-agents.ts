import type { NewRegistration, RegisteredAgentView } from "../../../app/bridge/agent-views.ts";
import { type BridgeErrorCode, bridgeError } from "../../../app/bridge/client-bridge.ts";
import { agentIdIn } from "../../../app/contract/agent-link.ts";
import { checkManifest, readManifest } from "../../../app/contract/check-manifest.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import { isVisibleName } from "../../../app/contract/visible-name.ts";
import type { AgentView } from "../../../app/protocol/v1/rest.ts";
import { type HubRest, hubRestError } from "../../channels/hub-rest.ts";
import { markOf } from "../../names/looks.ts";
import type { AgentReader } from "../../storage/agent-store.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import { scopeView } from "../agents/scope-view.ts";
import type { AgentKeyring } from "../keys/agent-keyring.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { AgentStates } from "./presence.ts";
import type { RelationSync } from "./relation-sync.ts";

export interface RegisteredPorts {
  readonly rest: Pick<HubRest, "agent" | "createRelation" | "registerAgent">;
  readonly agents: Pick<AgentReader, "agent">;
  readonly statuses: Pick<AgentStates, "of">;
  readonly sync: Pick<RelationSync, "while" | "adopt">;
  readonly keyring: Pick<AgentKeyring, "changed">;
  readonly naming: Pick<AgentNaming, "lookalikes">;
  readonly events: ProgramEvents;
}

/** What the person was shown, and what of it they grant. */
export interface Addition {
  readonly agent_id: string;
  readonly manifest_version: number;
  readonly manifest_digest: string;
  readonly granted_scopes: readonly string[];
}

/**
 * Agents that are registered at the hub: the person registers their own, and adds one by its id
 * (contract §7).
 */
export class RegisteredAgents {
  readonly #ports: RegisteredPorts;

  constructor(ports: RegisteredPorts) {
    this.#ports = ports;
  }

  /**
   * @param text a manifest, as `manifest.check_new` has checked it
   * @throws BridgeError `nothing_visible`, `manifest_refused`, `overloaded`, `hub_unreachable`
   */
  async register(name: string, text: string): Promise<NewRegistration> {
    if (!isVisibleName(name)) throw bridgeError("nothing_visible");
    const verdict = readManifest(Buffer.from(text));
    if (!verdict.ok) throw bridgeError("manifest_refused");
    const asked = this.#ports.rest.registerAgent(name, verdict.manifest);
    const { agent_id, token } = await this.#asked(asked);
    return { agent_id, token };
  }

  /**
   * @param text an id or a link
   * @throws BridgeError `link_unusable`, `already_added`, `agent_unknown`, `manifest_unusable`,
   * `hub_unreachable`
   */
  async find(text: string): Promise<RegisteredAgentView> {
    const agentId = agentIdIn(text);
    if (agentId === null) throw bridgeError("link_unusable");
    const { view, manifest, warnings } = await this.#read(agentId);
    return {
      agent_id: agentId,
      name: view.name,
      lookalikes: this.#ports.naming.lookalikes(view.name),
      name_mark: markOf(view.name),
      agent_version: manifest.agent_version,
      manifest_version: view.capability_manifest_version,
      manifest_digest: view.capability_manifest_hash,
      scopes: manifest.permission_scopes.map((scope) => scopeView(manifest, scope)),
      warnings,
    };
  }

  /**
   * Grants these scopes of exactly the manifest that was shown.
   * @throws BridgeError `manifest_changed`, `not_offered`, and as `find`
   */
  async add(addition: Addition): Promise<void> {
    const { sync, keyring, events } = this.#ports;
    await sync.while(this.#add(addition));
    keyring.changed(addition.agent_id);
    events.changed("agents.changed", "conversations.changed", "consents.changed");
  }

  async #add({ agent_id, granted_scopes, ...shown }: Addition): Promise<void> {
    const { view, manifest } = await this.#read(agent_id);
    const { capability_manifest_version, capability_manifest_hash } = view;
    if (
      capability_manifest_version !== shown.manifest_version ||
      capability_manifest_hash !== shown.manifest_digest
    ) {
      throw bridgeError("manifest_changed");
    }
    const declared = manifest.permission_scopes.map(({ id }) => id);
    if (granted_scopes.some((scope) => !declared.includes(scope))) {
      throw bridgeError("not_offered");
    }
    // The hub refuses it if the manifest has changed since it was read here.
    const wanted = { agent_id, granted_scopes: [...granted_scopes], capability_manifest_version };
    const relation = await this.#asked(this.#ports.rest.createRelation(wanted));
    await this.#ports.sync.adopt(relation, view, granted_scopes);
  }

  async #read(agentId: string) {
    const { agents, statuses, rest } = this.#ports;
    const isKnown = agents.agent(agentId) !== undefined;
    if (isKnown && statuses.of(agentId).relation !== "revoked") {
      throw bridgeError("already_added");
    }
    const view: AgentView = await this.#asked(rest.agent(agentId));
    // The hub has checked it; it is checked again here, because the person decides on it.
    const served = view.capability_manifest as JsonValue;
    const verdict = checkManifest(served, JSON.stringify(served).length);
    if (!verdict.ok || verdict.hash !== view.capability_manifest_hash) {
      throw bridgeError("manifest_unusable");
    }
    return { view, manifest: verdict.manifest, warnings: verdict.warnings };
  }

  #asked<T>(answer: Promise<T>): Promise<T> {
    return answer.catch((error: unknown) => {
      const code = hubRestError.is(error) ? error.code : "";
      throw bridgeError(REFUSALS.get(code) ?? "hub_unreachable");
    });
  }
}

const REFUSALS: ReadonlyMap<string, BridgeErrorCode> = new Map([
  ["NOT_FOUND", "agent_unknown"],
  ["MANIFEST_CHANGED", "manifest_changed"],
  ["MANIFEST_INVALID", "manifest_refused"],
  ["MANIFEST_TOO_LARGE", "manifest_refused"],
  ["OVERLOADED", "overloaded"],
]);
