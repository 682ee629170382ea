import { clientToken } from "../local/client-token.ts";
import { LocalClient, LocalClientError } from "../local/local-client.ts";
import { socketAddress } from "../local/socket-address.ts";
import type { DenialCode } from "./hook-answer.ts";
import { HOOK_SOCKET } from "./hook-ops.ts";
import type { HookAgent } from "./hook-question.ts";

export interface HookPlace {
  readonly agent: HookAgent;
  readonly dataDir: string;
  /** The folder in which hooks keep their tokens. */
  readonly tokens: string;
}

/** What hooks call themselves to the person. */
export const HOOK_NAMES: Readonly<Record<HookAgent, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  cursor: "Cursor",
  gemini: "Gemini CLI",
  goose: "Goose",
  vscode: "VS Code",
};

/** The token of this agent's hooks. */
export const hookToken = ({ agent, dataDir, tokens }: HookPlace): string =>
  clientToken(tokens, `hook ${agent}`, dataDir);

/**
 * A connection once the person has let this agent ask; the first time they are asked for that.
 * @param ended closes it
 * @throws LocalClientError, NotAskedError
 */
export async function hookConnection(
  place: HookPlace,
  session: string,
  ended: AbortSignal,
): Promise<LocalClient> {
  const { agent, dataDir } = place;
  const paired = Promise.withResolvers<void>();
  const client = await LocalClient.connect({
    address: socketAddress(dataDir, HOOK_SOCKET),
    token: hookToken(place),
    name: HOOK_NAMES[agent],
    session,
    standing: (standing) => {
      if (standing === "paired") paired.resolve();
      else if (standing !== "waiting") paired.reject(new NotAskedError(standing));
    },
    changed: () => {},
    closed: () => paired.reject(new LocalClientError("lost")),
  });
  paired.promise.catch(() => {});
  const close = () => client.close();
  if (ended.aborted) close();
  ended.addEventListener("abort", close, { once: true });
  await paired.promise;
  return client;
}

/** The person has not allowed this agent to ask. */
export class NotAskedError extends Error {
  override readonly name = "NotAskedError";
  readonly code: Extract<DenialCode, "refused" | "not_asked">;
  constructor(code: NotAskedError["code"]) {
    super(code);
    this.code = code;
  }
}
