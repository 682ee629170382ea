import { randomUUID } from "node:crypto";
import { CommandExitError, type CommandResult, NotFoundError, Sandbox } from "e2b";
import {
  type CommandOrder,
  type CommandOutput,
  SANDBOX_LIFE_MS,
  SANDBOXES_PER_KEY,
  type Sandboxes,
  sandboxError,
} from "./sandboxes.ts";

export interface E2bOptions {
  readonly apiKey: string;
  /** For a server other than E2B's own cloud. */
  readonly apiUrl?: string;
  readonly sandboxUrl?: string;
}

/** Maximum characters of both streams together. */
const MAX_OUTPUT_CHARS = 512_000;

/**
 * Sandboxes at E2B. Those created here belong to the key they were created with. The id of one
 * created elsewhere with the same E2B account can be used by anyone who knows it.
 */
export function e2bSandboxes(connection: E2bOptions, now: () => number = Date.now): Sandboxes {
  const created = new Map<string, { readonly owner: string; until: number }>();
  const mayUse = (owner: string, id: string): void => {
    if ((created.get(id)?.owner ?? owner) !== owner) throw sandboxError("sandbox_unknown");
  };
  return {
    async create(owner) {
      for (const [id, { until }] of created) if (until <= now()) created.delete(id);
      const owned = [...created.values()].filter((each) => each.owner === owner);
      if (owned.length >= SANDBOXES_PER_KEY) throw sandboxError("too_many_sandboxes");
      // It counts from here on, for requests that come before E2B answers.
      const place = randomUUID();
      created.set(place, { owner, until: Number.POSITIVE_INFINITY });
      try {
        const { sandboxId } = await reached(() =>
          Sandbox.create({ ...connection, timeoutMs: SANDBOX_LIFE_MS }),
        );
        const until = now() + SANDBOX_LIFE_MS;
        created.set(sandboxId, { owner, until });
        return { id: sandboxId, expiresAt: new Date(until) };
      } finally {
        created.delete(place);
      }
    },

    async run(owner, id, order): Promise<CommandOutput> {
      mayUse(owner, id);
      const sandbox = await reached(() =>
        Sandbox.connect(id, { ...connection, timeoutMs: SANDBOX_LIFE_MS }),
      );
      const own = created.get(id);
      if (own !== undefined) own.until = now() + SANDBOX_LIFE_MS;
      return runIn(sandbox, order);
    },

    async remove(owner, id) {
      mayUse(owner, id);
      const isGone = await reached(() => Sandbox.kill(id, connection));
      created.delete(id);
      if (!isGone) throw sandboxError("sandbox_unknown");
    },

    /** They outlive the host, and expire by themselves. */
    async [Symbol.asyncDispose]() {},
  };
}

async function runIn(
  sandbox: Sandbox,
  { command, signal, onOutput }: CommandOrder,
): Promise<CommandOutput> {
  const excess = new AbortController();
  let chars = 0;
  const hear = (text: string): void => {
    chars += text.length;
    if (chars > MAX_OUTPUT_CHARS) excess.abort();
    else onOutput?.(text);
  };
  const [ended] = await Promise.allSettled([
    sandbox.commands.run(command, {
      // The signal of the request ends it instead.
      timeoutMs: 0,
      signal: AbortSignal.any([signal, excess.signal]),
      onStdout: hear,
      onStderr: hear,
    }),
  ]);
  if (excess.signal.aborted) throw sandboxError("too_large");
  if (ended.status === "fulfilled") return outputOf(ended.value);
  const { reason } = ended;
  if (reason instanceof CommandExitError) return outputOf(reason);
  throw signal.aborted ? sandboxError("aborted") : asSandboxError(reason);
}

type Ended = Pick<CommandResult, "stdout" | "stderr" | "exitCode">;

const outputOf = ({ stdout, stderr, exitCode }: Ended): CommandOutput => ({
  stdout,
  stderr,
  exit_code: exitCode,
});

async function reached<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw asSandboxError(error);
  }
}

function asSandboxError(error: unknown): Error {
  if (sandboxError.is(error)) return error;
  return sandboxError(error instanceof NotFoundError ? "sandbox_unknown" : "sandbox_unavailable");
}
