import { createHash } from "node:crypto";
import Type, { type Static } from "typebox";
import type { AskingProgram } from "../../../app/bridge/agent-views.ts";
import { guardOf } from "../../../app/contract/checked.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import type { KeptValues } from "../../storage/index.ts";
import { programKey } from "./asking-program.ts";
import type { LocalQuestion } from "./local-pairings.ts";

/** How many programs may use one token; the oldest gives way. */
const PROGRAMS_KEPT = 8;

const Digest = Type.String({ pattern: "^[0-9a-f]{64}$" });

const ClientRecord = Type.Object(
  {
    /** Lowercase hex SHA-256. The token itself is with the client only. */
    token_digest: Digest,
    /** Those of agents that the person merged with it. */
    more_digests: Type.Optional(Type.Array(Digest)),
    /** `programKey` of each program the person let use it; null: one that the system did not name. */
    programs: Type.Array(Type.Union([Type.String(), Type.Null()])),
    /** The folder that it was connected from; absent: not known. */
    folder: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
type ClientRecord = Static<typeof ClientRecord>;
const isClientRecord = guardOf(ClientRecord);

export const tokenDigest = (token: string): string =>
  createHash("sha256").update(token).digest("hex");

const keyOf = (agentId: string): string => `local_client ${agentId}`;

/** Which token and which programs belong to an agent on this computer; durable, beside the settings. */
export class ClientRecords {
  readonly #settings: KeptValues;
  readonly #agents: () => readonly Pick<KnownAgent, "agent_id" | "name">[];
  /** Of each agent, what its stored text says. */
  readonly #parsed = new Map<string, { readonly text: string; readonly record: ClientRecord }>();

  constructor(
    settings: KeptValues,
    agents: () => readonly Pick<KnownAgent, "agent_id" | "name">[],
  ) {
    this.#settings = settings;
    this.#agents = agents;
  }

  /** The agent whose token this is. */
  agentOf(digest: string): string | undefined {
    return this.#agents().find(({ agent_id }) => {
      const record = this.#record(agent_id);
      return record !== undefined && digestsOf(record).includes(digest);
    })?.agent_id;
  }

  /** The agent with the name and project of a program that asks to be one: the one that was connected first. */
  sameAs({ asks, visitor }: Pick<LocalQuestion, "asks" | "visitor">): string | null {
    const folder = visitor.program?.folder ?? null;
    if (asks !== "connect" || folder === null) return null;
    const same = this.#agents().find(
      ({ agent_id, name }) => name === visitor.name && this.#record(agent_id)?.folder === folder,
    );
    return same?.agent_id ?? null;
  }

  /** Whether the person has let this program use the agent's token. */
  knows(agentId: string, program: string | null): boolean {
    return this.#record(agentId)?.programs.includes(program) ?? false;
  }

  /** One more token, or program, of the agent's. @throws StoreError */
  async put(agentId: string, digest: string, program: AskingProgram | null): Promise<void> {
    const before = this.#record(agentId);
    const programs = [...(before?.programs ?? []), programKey(program)].slice(-PROGRAMS_KEPT);
    const folder = before?.folder ?? program?.folder ?? undefined;
    const [token_digest = digest, ...more_digests] = new Set([
      ...(before === undefined ? [] : digestsOf(before)),
      digest,
    ]);
    const record: ClientRecord = {
      token_digest,
      ...(more_digests.length === 0 ? {} : { more_digests: more_digests.slice(-PROGRAMS_KEPT) }),
      programs,
      ...(folder === undefined ? {} : { folder }),
    };
    await this.#settings.putValue(keyOf(agentId), JSON.stringify(record));
  }

  async forget(agentId: string): Promise<void> {
    this.#parsed.delete(agentId);
    await this.#settings.removeValue(keyOf(agentId));
  }

  #record(agentId: string): ClientRecord | undefined {
    const text = this.#settings.value(keyOf(agentId));
    if (text === undefined) return undefined;
    const parsed = this.#parsed.get(agentId);
    if (parsed?.text === text) return parsed.record;
    const record = recordOf(text);
    if (record !== undefined) this.#parsed.set(agentId, { text, record });
    return record;
  }
}

const digestsOf = ({ token_digest, more_digests = [] }: ClientRecord): readonly string[] => [
  token_digest,
  ...more_digests,
];

/** The folder that an agent on this computer was connected from; null: not known. */
export function clientFolder(settings: Pick<KeptValues, "value">, agentId: string): string | null {
  const text = settings.value(keyOf(agentId));
  return (text === undefined ? undefined : recordOf(text))?.folder ?? null;
}

/** What cannot be read counts as no token: the client asks again. */
function recordOf(text: string): ClientRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isClientRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
