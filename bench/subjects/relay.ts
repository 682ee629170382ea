import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RelayPlan } from "../processes/relay-plan.ts";
import { startMeasured } from "./measured-process.ts";
import type { Mode, Subject } from "./subject.ts";

export interface RelayOptions {
  readonly name: string;
  readonly modes: readonly Mode[];
  readonly entry: "relay-hub.ts" | "relay-bare.ts";
  readonly agents: number;
  /** For its database and plan. */
  readonly folder: string;
}

export interface Relay {
  readonly subject: Subject;
  /** How many bytes the relay's process grew by for each idle connection. */
  readonly bytesEach: number;
}

interface RelayProcess {
  readonly plan: RelayPlan;
  /** Its resident bytes after a garbage collection. */
  memory(): Promise<number>;
  close(): Promise<void>;
}

/** A relay in its own process, and its clients in another. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { name, modes, entry, agents, folder } = options;
  const id = name.replaceAll(/[^a-z0-9]+/gi, "-");
  const file = join(folder, `${id}.json`);
  const args = entry === "relay-hub.ts" ? [join(folder, `${id}.db`), `${agents}`] : [`${agents}`];
  const keepPlan = ({ plan }: RelayProcess) =>
    writeFileSync(file, JSON.stringify(plan), { mode: 0o600 });
  if (entry === "relay-hub.ts") {
    const adding = await startProcess(name, entry, args);
    keepPlan(adding);
    await adding.close();
    args.push(file);
  }
  const relay = await startProcess(name, entry, args);
  keepPlan(relay);
  const before = await relay.memory();
  const clients = await startMeasured({ name, modes, entry: "relay-load.ts", args: [file] });
  const bytesEach = ((await relay.memory()) - before) / (agents + 1);
  return {
    bytesEach,
    subject: {
      ...clients,
      async close() {
        await clients.close();
        await relay.close();
      },
    },
  };
}

async function startProcess(
  name: string,
  entry: string,
  args: readonly string[],
): Promise<RelayProcess> {
  const path = fileURLToPath(new URL(`../processes/${entry}`, import.meta.url));
  const child = fork(path, args, {
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const heard = async <T>(): Promise<T> => {
    const [said] = await Promise.race([
      once(child, "message"),
      ended.then(([code]) => {
        throw new Error(`${name} ended with ${code}`);
      }),
    ]);
    return said;
  };
  const { plan } = await heard<{ readonly plan: RelayPlan }>();
  return {
    plan,
    async memory() {
      const told = heard<{ readonly rss: number }>();
      child.send("memory");
      return (await told).rss;
    },
    async close() {
      child.disconnect();
      await ended;
    },
  };
}
