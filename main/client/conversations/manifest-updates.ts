import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import {
  CHANGES_SHOWN,
  type ManifestAppliedView,
  type ManifestCheckView,
  type NewManifestView,
} from "../../../app/bridge/manifest-views.ts";
import { readManifest } from "../../../app/contract/check-manifest.ts";
import { digestOf, sha256Hex } from "../../../app/contract/digest.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type { ManifestProblem, ManifestWarning } from "../../../app/contract/manifest-remarks.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import type { BreakingChange } from "../../../app/protocol/v1/breaking-change.ts";
import type { ManifestAccepted } from "../../../app/protocol/v1/rest.ts";
import { type HubOptions, manifestProblems } from "../../../hub/index.ts";
import { type ConversationRest, hubRestError } from "../../channels/hub-rest.ts";
import type { NoteContent } from "../../storage/index.ts";
import { scopeView } from "../agents/scope-view.ts";
import { manifestChanges } from "./manifest-changes.ts";
import { remarksIn } from "./manifest-remarks.ts";

export interface ManifestUpdatesPorts {
  agent(agentId: string): KnownAgent | undefined;
  readonly checkSchema: HubOptions["checkSchema"];
  readonly rest: Pick<ConversationRest, "replaceManifest" | "previewManifest">;
  readonly note: (note: NoteContent) => Promise<void>;
  readonly report: (error: unknown) => void;
}

interface ReadText {
  readonly problems: readonly ManifestProblem[];
  readonly warnings: readonly ManifestWarning[];
  /** Null: there are problems. */
  readonly manifest: Manifest | null;
}

/** Checks a manifest that an agent's owner pastes, shows what it changes, and applies it. */
export class ManifestUpdates {
  readonly #ports: ManifestUpdatesPorts;

  constructor(ports: ManifestUpdatesPorts) {
    this.#ports = ports;
  }

  /**
   * The hub says what would break; it changes nothing.
   * @throws BridgeError `not_found`, `overloaded`, `hub_unreachable`, `manifest_refused`,
   * `manifest_changed`: the hub has another manifest of the agent by now
   */
  async check(agentId: string, text: string): Promise<ManifestCheckView> {
    const agent = this.#agent(agentId);
    const { problems, warnings, manifest } = await this.#read(text);
    const changes =
      manifest === null
        ? []
        : manifestChanges(agent.manifest, manifest, await this.#breaking(agent, manifest));
    const located = remarksIn(text);
    return {
      problems: problems.map(located),
      warnings: warnings.map(located),
      changes: changes.slice(0, CHANGES_SHOWN),
      changes_in_all: changes.length,
      bytes: Buffer.byteLength(text),
      agent_version: {
        present: agent.manifest.agent_version,
        pasted: manifest?.agent_version ?? null,
      },
      digest: manifest === null ? null : checkedDigest(agent, text),
    };
  }

  /**
   * As the hub will check it when the agent asks to be connected.
   * @throws BridgeError `overloaded`
   */
  async checkNew(text: string): Promise<NewManifestView> {
    const { problems, warnings, manifest } = await this.#read(text);
    const located = remarksIn(text);
    return {
      problems: problems.map(located),
      warnings: warnings.map(located),
      bytes: Buffer.byteLength(text),
      asks: manifest === null ? null : asksOf(manifest),
    };
  }

  /**
   * Replaces the present manifest with exactly the one that was checked, by the hub's call that the
   * agent's developer uses too (contract §8).
   * @throws BridgeError `not_found`, `manifest_changed`, `manifest_refused`, `hub_unreachable`,
   * `overloaded`
   */
  async apply(agentId: string, text: string, digest: string): Promise<ManifestAppliedView> {
    const agent = this.#agent(agentId);
    if (digest !== checkedDigest(agent, text)) throw bridgeError("manifest_changed");
    const { manifest } = await this.#read(text);
    if (manifest === null) throw bridgeError("manifest_refused");
    const { capability_manifest_version: manifest_version, breaking_changes } = await this.#replace(
      agent,
      manifest,
    );
    const changes = manifestChanges(agent.manifest, manifest, breaking_changes).length;
    const breaking = breaking_changes.length;
    await this.#note({ ...noteOf(agent, manifest), manifest_version, changes, breaking });
    return { manifest_version, changes, breaking };
  }

  async #breaking(agent: KnownAgent, manifest: Manifest): Promise<readonly BreakingChange[]> {
    const { agent_id, manifest_version } = agent;
    const preview = await this.#ports.rest
      .previewManifest(agent_id, manifest)
      .catch((error: unknown) => {
        throw refusalOf(error);
      });
    if (preview.capability_manifest_version !== manifest_version) {
      throw bridgeError("manifest_changed");
    }
    return preview.breaking_changes;
  }

  async #replace(agent: KnownAgent, manifest: Manifest): Promise<ManifestAccepted> {
    try {
      return await this.#ports.rest.replaceManifest(agent.agent_id, manifest);
    } catch (error) {
      const refusal = refusalOf(error);
      if (hubRestError.is(error)) {
        const why = { code: "manifest_not_applied", error_code: error.code } as const;
        await this.#note({ ...noteOf(agent, manifest), ...why });
      }
      throw refusal;
    }
  }

  async #read(text: string): Promise<ReadText> {
    const verdict = readManifest(Buffer.from(text));
    const problems = await manifestProblems(this.#ports.checkSchema, verdict);
    if (problems === "busy") throw bridgeError("overloaded");
    const manifest = verdict.ok && problems.length === 0 ? verdict.manifest : null;
    return { problems, warnings: verdict.warnings, manifest };
  }

  /** The change stays applied even if the note of it cannot be stored. */
  #note(note: NoteContent): Promise<void> {
    return this.#ports.note(note).catch(this.#ports.report);
  }

  #agent(agentId: string): KnownAgent {
    const agent = this.#ports.agent(agentId);
    if (agent === undefined) throw bridgeError("not_found");
    return agent;
  }
}

const asksOf = (manifest: Manifest): NonNullable<NewManifestView["asks"]> => ({
  agent_version: manifest.agent_version,
  // A checked manifest is a JSON value; its type merely names some of the members.
  digest: digestOf(manifest as unknown as JsonValue),
  scopes: manifest.permission_scopes.map((scope) => scopeView(manifest, scope)),
});

/** Identifies this text and this version of the agent's manifest. */
const checkedDigest = ({ agent_id, manifest_version }: KnownAgent, text: string): string =>
  sha256Hex(JSON.stringify([agent_id, manifest_version, text]));

/** An error of ours stays what it is. */
function refusalOf(error: unknown): unknown {
  if (!hubRestError.is(error)) return error;
  if (error.code === "OVERLOADED") return bridgeError("overloaded");
  const isAway = error.code === "hub_unreachable";
  return bridgeError(isAway ? "hub_unreachable" : "manifest_refused");
}

const noteOf = ({ agent_id, name }: KnownAgent, { agent_version }: Manifest): NoteContent => ({
  kind: "note",
  code: "manifest_applied",
  agent_id,
  agent_name: name,
  agent_version,
  manifest_version: null,
  changes: 0,
  breaking: 0,
  error_code: null,
});
