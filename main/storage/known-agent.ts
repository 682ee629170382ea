import { deepFreeze } from "../../app/contract/json.ts";
import { isSameHost, type NetworkHost } from "../../app/contract/network-host.ts";
import type { AllowedHost, Grant, KnownAgent, Root } from "../../app/grants/grant.ts";

/**
 * Changes to an agent as values: each returns a new frozen agent and leaves the old one unchanged.
 */

/** A read-only map: `Object.freeze` does not protect a Map's entries. */
class FrozenMap<K, V> extends Map<K, V> {
  #sealed = false;
  constructor(entries: Iterable<readonly [K, V]>) {
    super();
    for (const [key, value] of entries) super.set(key, value);
    this.#sealed = true;
    Object.freeze(this);
  }
  override set(key: K, value: V): this {
    if (this.#sealed) throw new TypeError("frozen");
    return super.set(key, value);
  }
  override delete(_key: K): boolean {
    throw new TypeError("frozen");
  }
  override clear(): void {
    throw new TypeError("frozen");
  }
}

export function frozenAgent(agent: KnownAgent): KnownAgent {
  const grants = [...agent.grants].map(([scope, grant]) => [scope, { ...grant }] as const);
  for (const [, grant] of grants) Object.freeze(grant);
  return Object.freeze({
    ...agent,
    relation: agent.relation && Object.freeze({ ...agent.relation }),
    manifest: deepFreeze(agent.manifest),
    reviewed_manifest: deepFreeze(agent.reviewed_manifest),
    grants: new FrozenMap(grants),
    roots: Object.freeze(agent.roots.map((root) => Object.freeze({ ...root }))),
    hosts: Object.freeze(agent.hosts.map((host) => Object.freeze({ ...host }))),
  });
}

export function withGrants(agent: KnownAgent, changes: readonly Grant[]): KnownAgent {
  const grants = new Map(agent.grants);
  for (const grant of changes) grants.set(grant.scope, grant);
  return frozenAgent({ ...agent, grants });
}

export const withRoot = (agent: KnownAgent, root: Root): KnownAgent =>
  frozenAgent({
    ...agent,
    roots: [...agent.roots.filter(({ root_id }) => root_id !== root.root_id), root],
  });

export const withoutRoot = (agent: KnownAgent, rootId: string): KnownAgent =>
  frozenAgent({ ...agent, roots: agent.roots.filter(({ root_id }) => root_id !== rootId) });

export const withHost = (agent: KnownAgent, allowed: AllowedHost): KnownAgent =>
  frozenAgent({
    ...agent,
    hosts: [...agent.hosts.filter((host) => !isSameHost(host, allowed)), allowed],
  });

export const withoutHost = (agent: KnownAgent, host: NetworkHost): KnownAgent =>
  frozenAgent({ ...agent, hosts: agent.hosts.filter((allowed) => !isSameHost(allowed, host)) });

/** The part of `agent` that stays in effect while `next` is being stored: what both grant. */
export function narrowedTo(agent: KnownAgent, next: KnownAgent): KnownAgent {
  const grants = [...agent.grants].filter(
    ([scope, { state }]) => state !== "granted" || next.grants.get(scope)?.state === "granted",
  );
  const roots = agent.roots.filter((root) => next.roots.some((kept) => sameRoot(root, kept)));
  const hosts = agent.hosts.filter((host) => next.hosts.some((kept) => isSameHost(kept, host)));
  return frozenAgent({ ...agent, grants: new Map(grants), roots, hosts });
}

const sameRoot = (one: Root, other: Root): boolean =>
  one.root_id === other.root_id &&
  one.path === other.path &&
  one.access === other.access &&
  one.only_file === other.only_file;
