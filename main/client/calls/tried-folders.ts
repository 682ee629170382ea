import { LIMITS } from "../../../app/contract/limits.ts";
import type { ToolResponse } from "../../../app/contract/tool-call.ts";
import { wantedBy } from "../../../app/execution/examine-call.ts";
import type { CallObserver } from "../../../app/execution/live-calls.ts";
import type { ReadableArrival, ToolBox } from "../../../app/execution/ports.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { innermostRoot } from "../../tools/files/paths/folder-preflight.ts";
import { pathPlatform } from "../../tools/files/paths/path-rules.ts";
import type { IgnoredFolders } from "../agents/ignored-folders.ts";

const PLATFORM = pathPlatform(process.platform);

interface TriedPorts {
  readonly tools: ToolBox;
  readonly agents: { agent(agentId: string): KnownAgent | undefined };
  readonly ignored: Pick<IgnoredFolders, "has">;
  /** Milliseconds, forward only. */
  readonly now: () => number;
  readonly changed: () => void;
}

/**
 * Folders outside those it was given that an agent tried since the program started. Each is noted
 * once, and of one agent no more than `LIMITS.triedFolders` in `LIMITS.triedFoldersMs`.
 */
export class TriedFolders implements CallObserver {
  readonly #ports: TriedPorts;
  readonly #tried = new Map<string, readonly string[]>();
  readonly #notedAt = new Map<string, readonly number[]>();

  constructor(ports: TriedPorts) {
    this.#ports = ports;
  }

  /** Those that it still has not, and that the person does not ignore. */
  of(agent: Pick<KnownAgent, "agent_id" | "roots">): readonly string[] {
    const tried = this.#tried.get(agent.agent_id) ?? [];
    return tried.filter((path) => this.#isNews(agent, path));
  }

  closed({ agent_id, call }: ReadableArrival, response: ToolResponse): void {
    if (response.status !== "error" || response.reason !== "outside_roots") return;
    const agent = this.#ports.agents.agent(agent_id);
    // An agent without folders would be asked for one: that is the one this agent lacks.
    const wanted = wantedBy(this.#ports.tools, call, { roots: [], hosts: [] });
    if (agent !== undefined && wanted?.kind === "root_wanted") {
      this.#note(agent, wanted.suggested_path);
    }
  }

  forgetAgent(agentId: string): void {
    this.#tried.delete(agentId);
    this.#notedAt.delete(agentId);
  }

  #note(agent: KnownAgent, path: string): void {
    const known = this.of(agent);
    const isKept = known.includes(path) || !this.#isNews(agent, path);
    if (isKept || known.length >= LIMITS.triedFolders || !this.#mayNote(agent.agent_id)) return;
    this.#tried.set(agent.agent_id, [...known, path]);
    this.#ports.changed();
  }

  #isNews({ agent_id, roots }: Pick<KnownAgent, "agent_id" | "roots">, path: string): boolean {
    const isGiven = innermostRoot(path, roots, PLATFORM) !== null;
    return !isGiven && !this.#ports.ignored.has(agent_id, path);
  }

  #mayNote(agentId: string): boolean {
    const now = this.#ports.now();
    const lately = (this.#notedAt.get(agentId) ?? []).filter(
      (at) => now - at < LIMITS.triedFoldersMs,
    );
    if (lately.length >= LIMITS.triedFolders) return false;
    this.#notedAt.set(agentId, [...lately, now]);
    return true;
  }
}
