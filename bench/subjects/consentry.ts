import { resolve } from "node:path";
import { type BuiltClient, DIST, startBuiltClient } from "./built-client.ts";
import type { FileToRead } from "./file-to-read.ts";
import { startMeasured } from "./measured-process.ts";
import { PersonPage } from "./person-page.ts";
import type { Mode, Subject } from "./subject.ts";

export interface ConsentryOptions {
  readonly name: string;
  readonly modes: readonly Mode[];
  /** The client's data folder. */
  readonly dataDir: string;
  readonly file: FileToRead;
  /** Where the client writes its CPU profile; null: it is not profiled. */
  readonly profile: string | null;
  /** Without encryption, which the product never allows. */
  readonly isPlain?: boolean;
  /** How many other agents are paired, and stay connected; absent: none. */
  readonly others?: number;
  /** The agent's process and its arguments; absent: the SDK's. */
  readonly agent?: readonly [entry: string, ...args: readonly string[]];
}

export interface MeasuredClient extends Subject {
  /** Bytes of memory that the client's process holds. */
  memory(): Promise<number>;
}

/**
 * A complete silent `read_file`: the SDK in the agent's process, the hub, the client with every
 * check and its durable log, the tool, and back. The person's page stays open meanwhile.
 */
export async function startConsentry(options: ConsentryOptions): Promise<MeasuredClient> {
  const { dataDir, profile, isPlain } = options;
  const nodeFlags = profile === null ? [] : ["--cpu-prof", "--cpu-prof-dir", resolve(profile)];
  const client = await startBuiltClient(dataDir, nodeFlags, isPlain ? "plain" : "encrypted");
  try {
    return await connectAgent(client, options);
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function connectAgent(
  client: BuiltClient,
  options: ConsentryOptions,
): Promise<MeasuredClient> {
  const page = await PersonPage.open(client.ui);
  const others = await otherAgents(client, page, options);
  const agent = await allowedAgent(client, page, options);
  return {
    ...agent,
    memory: () => client.memory(),
    async turn(order) {
      const before = await client.cpu();
      const turn = await agent.turn(order);
      return { ...turn, cpu_ms: turn.cpu_ms + (await client.cpu()) - before };
    },
    async close() {
      await agent.close();
      await others?.close();
      page.close();
      await client.close();
    },
  };
}

/** Together in one process, each accepted on the page. */
function otherAgents(
  client: BuiltClient,
  page: PersonPage,
  { dataDir, others = 0 }: ConsentryOptions,
): Promise<Subject> | null {
  if (others === 0) return null;
  const failed = Promise.withResolvers<never>();
  const started = startMeasured({
    name: `${others} agents`,
    modes: [],
    entry: "many-agents.mjs",
    args: [DIST, client.hub, String(others)],
    home: `${dataDir}-others`,
    onCode: (code) => void page.acceptPairing(code).catch(failed.reject),
  });
  return Promise.race([started, failed.promise]);
}

/** In a process of its own, accepted on the page, where "allow in this conversation" was answered. */
export async function allowedAgent(
  client: BuiltClient,
  page: PersonPage,
  {
    name,
    modes,
    file,
    dataDir,
    isPlain,
    agent: other,
  }: Omit<ConsentryOptions, "profile" | "others">,
): Promise<Subject> {
  const answered = Promise.withResolvers<void>();
  const sdk = ["consentry-agent.mjs", isPlain ? "plain" : DIST, client.hub] as const;
  const [entry, ...args] = other ?? sdk;
  const [agent] = await Promise.all([
    startMeasured({
      name,
      modes,
      entry,
      args: [...args, file.path, String(file.bytes)],
      home: `${dataDir}-agent`,
      onCode(code) {
        page
          .acceptPairing(code)
          .then(() => page.allowInConversation(file.folder))
          .then(answered.resolve, answered.reject);
      },
    }),
    answered.promise,
  ]);
  return agent;
}
