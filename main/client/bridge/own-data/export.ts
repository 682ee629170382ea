import { shownName } from "../../../../app/bridge/agent-views.ts";
import { EXPORT_ENDING } from "../../../../app/contract/own-data.ts";
import type { Rule } from "../../../../app/contract/rule.ts";
import type { KnownAgent } from "../../../../app/grants/grant.ts";
import type { QuietPeriod } from "../../../../app/grants/quiet-period.ts";
import { exportLog } from "../../../audit-log/index.ts";
import type {
  AgentReader,
  ConversationStore,
  LogSource,
  SettingsReader,
} from "../../../storage/index.ts";
import type { OutgoingFile } from "../../host-port.ts";
import { fileStamp } from "../log-export.ts";

const FORMAT = "consentry-export";
export const FORMAT_VERSION = 2;
/** Messages read at once. */
const STEP = 100;

export interface OwnDataSources {
  readonly version: string;
  readonly settings: Pick<SettingsReader, "current">;
  readonly agents: Pick<AgentReader, "list" | "rootsOf">;
  readonly petname: (agentId: string) => string | null;
  readonly isSuspended: (agentId: string) => boolean;
  readonly grants: {
    quietPeriodsOf(agentId: string): readonly QuietPeriod[];
    rules(agentId: string): readonly Rule[];
  };
  readonly conversations: Pick<ConversationStore, "ids" | "state" | "after">;
  readonly openLog: () => LogSource;
  readonly now: () => number;
}

/**
 * Everything of the person's as one file of JSON Lines (docs/own-data.md), read while it is written. Keys,
 * tokens and what programs were given to start with are not in it.
 */
export function ownDataFile(sources: OwnDataSources): OutgoingFile {
  const at = sources.now();
  return {
    name: `consentry-data-${fileStamp(at)}${EXPORT_ENDING}`,
    mediaType: "application/x-ndjson; charset=utf-8",
    open: (signal) => ownData(sources, at, signal),
  };
}

async function* ownData(
  sources: OwnDataSources,
  exportedAt: number,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  const lines = (values: readonly object[]) =>
    encoder.encode(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  const { version, settings, agents } = sources;
  yield lines([
    {
      format: FORMAT,
      version: FORMAT_VERSION,
      exported_at: new Date(exportedAt).toISOString(),
      program: version,
    },
    { kind: "settings", settings: settings.current() },
  ]);
  for (const agent of agents.list()) yield lines([agentOf(sources, agent)]);
  for (const id of sources.conversations.ids()) {
    for (const part of conversationOf(sources, id)) {
      signal.throwIfAborted();
      yield lines(part);
      // The thread is the program's: calls have their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const source = sources.openLog();
  try {
    yield lines([{ kind: "log" }]);
    const range = { from: null, to: null };
    yield* exportLog({ source, format: "jsonl", range, exportedAt, signal });
  } finally {
    source.close();
  }
}

function agentOf(
  { petname, isSuspended, grants, agents }: OwnDataSources,
  agent: KnownAgent,
): object {
  const { agent_id, name, channel, manifest, manifest_version, hosts } = agent;
  return {
    kind: "agent",
    agent_id,
    name,
    petname: petname(agent_id),
    channel,
    suspended: isSuspended(agent_id),
    grants: [...agent.grants.values()],
    roots: agents.rootsOf(agent_id),
    hosts,
    quiet_periods: grants.quietPeriodsOf(agent_id),
    rules: grants.rules(agent_id),
    manifest_version,
    manifest,
  };
}

/** A conversation, then its messages, oldest first. */
function* conversationOf(
  { conversations, agents, petname }: OwnDataSources,
  conversation_id: string,
): Iterable<readonly object[]> {
  const { about } = conversations.state(conversation_id);
  const agent = agents.list().find(({ relation }) => relation?.conversation_id === conversation_id);
  const now = agent && {
    kind: "direct",
    title: shownName({ name: agent.name, petname: petname(agent.agent_id) }),
    agent_ids: [agent.agent_id],
  };
  const known = now ?? about;
  const described =
    known === null ? {} : { type: known.kind, title: known.title, agent_ids: known.agent_ids };
  yield [{ kind: "conversation", conversation_id, ...described }];
  for (let above = 0; ; ) {
    const items = conversations.after(conversation_id, above, STEP);
    const newest = items.at(-1);
    if (newest === undefined) return;
    yield items.map(({ number, state, at, content }) => ({
      kind: "message",
      conversation_id,
      number,
      state,
      at,
      content,
    }));
    above = newest.number;
  }
}
