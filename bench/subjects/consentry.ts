import { join, resolve } from "node:path";
import { type BuiltClient, startBuiltClient } from "./built-client.ts";
import { startMeasured } from "./measured-process.ts";
import { PersonPage } from "./person-page.ts";
import type { Subject } from "./subject.ts";

export interface FileToRead {
  readonly folder: string;
  readonly path: string;
  readonly bytes: number;
}

export interface ConsentryOptions {
  /** Where the client keeps its data. */
  readonly folder: string;
  readonly file: FileToRead;
  /** Where the client leaves its CPU profile; null: it is not profiled. */
  readonly profile: string | null;
}

/**
 * A silent `read_file`, all the way: the SDK in the agent's process, the hub, the client with every
 * check and its durable log, the tool, and back. The person's page stays open meanwhile.
 */
export async function startConsentry({
  folder,
  file,
  profile,
}: ConsentryOptions): Promise<Subject> {
  const nodeFlags = profile === null ? [] : ["--cpu-prof", "--cpu-prof-dir", resolve(profile)];
  const client = await startBuiltClient(join(folder, "client"), nodeFlags);
  try {
    return await connectAgent(client, file);
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function connectAgent(client: BuiltClient, file: FileToRead): Promise<Subject> {
  const page = await PersonPage.open(client.ui);
  const answered = Promise.withResolvers<void>();
  const agent = await Promise.all([
    startMeasured({
      name: "Consentry, silent read_file",
      modes: [1, 32],
      entry: "consentry-agent.mjs",
      args: [client.hub, file.path, String(file.bytes)],
      onCode(code) {
        page
          .acceptPairing(code)
          .then(() => page.allowInConversation(file.folder))
          .then(answered.resolve, answered.reject);
      },
    }),
    answered.promise,
  ]).then(([subject]) => subject);
  return {
    ...agent,
    async close() {
      await agent.close();
      page.close();
      await client.close();
    },
  };
}
