import type { Manifest } from "../contract/manifest.ts";
import type { NetworkHost } from "../contract/network-host.ts";

/**
 * The person's decision about one scope of one agent. A scope without a grant was never granted;
 * `awaiting_reconsent` counts as not granted until the person answers (contract §7).
 */
export type GrantState = "granted" | "revoked" | "awaiting_reconsent";

export interface Grant {
  readonly scope: string;
  readonly state: GrantState;
  /** Milliseconds since the epoch. */
  readonly changed_at: number;
}

/** A folder's name that leads through links, and where it led. */
export interface FolderLink {
  readonly at: string;
  /** With every link resolved. */
  readonly to: string;
}

/** A folder that the person chose for an agent, or one file. */
export interface Root {
  readonly root_id: string;
  /** Absolute, with every symbolic link of the folder resolved at the time of choosing. */
  readonly path: string;
  readonly access: "read" | "read_write";
  readonly added_at: number;
  /** Only the file at this path is given, whether or not it exists yet. */
  readonly only_file?: true;
  /** Milliseconds on the trusted clock; absent: until it is removed. */
  readonly ends_at?: number;
  /** It ends when the agent has gone, and when the program ends. */
  readonly for_task?: true;
  /** The name by which it was asked for or chosen; what is named by it is in the root where it is. */
  readonly link?: FolderLink;
}

/** @param now milliseconds on the trusted clock */
export const isOver = ({ ends_at = Infinity }: Root, now: number): boolean => ends_at <= now;

/** Whether it stays until it is removed. */
export const isLasting = ({ ends_at, for_task }: Pick<Root, "ends_at" | "for_task">): boolean =>
  ends_at === undefined && for_task !== true;

/**
 * A host of the person's own network that an agent may reach; all other private hosts are refused.
 */
export interface AllowedHost extends NetworkHost {
  readonly added_at: number;
}

/** A folder or file that the person just chose: resolved, but not stored yet. */
export type ChosenRoot = Omit<Root, "root_id" | "added_at">;

/** As chosen on a card; `once`: for that call alone, so it is not stored. */
export type AnsweredRoot = ChosenRoot & { readonly once?: true };

/** An agent's relation with the person at the hub, and their conversation there. */
interface HubRelation {
  readonly relation_id: string;
  readonly conversation_id: string;
}

/** Everything the client knows about an agent. */
export interface KnownAgent {
  readonly agent_id: string;
  readonly name: string;
  /** The channel it calls through; calls from other channels are not accepted as its own. */
  readonly channel: string;
  /** Null for an agent of a channel other than the hub. */
  readonly relation: HubRelation | null;
  readonly manifest: Manifest;
  readonly manifest_version: number;
  readonly manifest_hash: string;
  /**
   * Hash of the manifest the person last reviewed; after a change it differs until they review
   * again.
   */
  readonly reviewed_hash: string;
  readonly reviewed_manifest: Manifest;
  readonly grants: ReadonlyMap<string, Grant>;
  readonly roots: readonly Root[];
  readonly hosts: readonly AllowedHost[];
  readonly added_at: number;
}

export type HubAgent = KnownAgent & { readonly relation: HubRelation };

export const isHubAgent = (agent: KnownAgent): agent is HubAgent => agent.relation !== null;

/** Those of the manifest's current scopes that are granted. */
export const grantedScopes = ({ manifest, grants }: KnownAgent): readonly string[] =>
  manifest.permission_scopes
    .map(({ id }) => id)
    .filter((id) => grants.get(id)?.state === "granted");
