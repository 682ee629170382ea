import { setTimeout as wait } from "node:timers/promises";
import type { JsonValue } from "../../../app/contract/json.ts";
import { clientToken } from "../local/client-token.ts";
import { LocalClient, LocalClientError } from "../local/local-client.ts";
import { socketAddress } from "../local/socket-address.ts";
import type { HookDecision } from "./hook-answer.ts";
import { HOOK_SOCKET, isHookVerdict } from "./hook-ops.ts";
import { type HookAgent, type HookQuestion, readHookInput } from "./hook-question.ts";
import { type DenialCode, denial } from "./hook-words.ts";

export interface AskHereOptions {
  readonly agent: HookAgent;
  readonly dataDir: string;
  /** The folder in which hooks keep their tokens. */
  readonly tokens: string;
  /** Milliseconds after which a question without an answer is denied. */
  readonly limitMs: number;
}

/** What hooks call themselves to the person. */
const NAMES: Readonly<Record<HookAgent, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  cursor: "Cursor",
  gemini: "Gemini CLI",
  goose: "Goose",
  vscode: "VS Code",
};

/**
 * Asks the program of this data folder what an agent may do. Everything that is not an allowance is a
 * denial; never rejects.
 * @param input what the agent handed its hook
 */
export async function askHere(input: JsonValue, options: AskHereOptions): Promise<HookDecision> {
  const read = readHookInput(options.agent, input);
  if (read.kind !== "question") return denial(read.kind);
  const ended = new AbortController();
  const limit = wait(options.limitMs, denial("no_answer"), { signal: ended.signal });
  limit.catch(() => {});
  try {
    return await Promise.race([limit, ask(read.question, options, ended.signal)]);
  } catch (error) {
    if (error instanceof NotAskedError || error instanceof LocalClientError) {
      return denial(error.code);
    }
    return denial("internal_error");
  } finally {
    ended.abort();
  }
}

async function ask(
  { session, tool, arguments: args }: HookQuestion,
  { agent, dataDir, tokens }: AskHereOptions,
  ended: AbortSignal,
): Promise<HookDecision> {
  const paired = Promise.withResolvers<void>();
  const client = await LocalClient.connect({
    address: socketAddress(dataDir, HOOK_SOCKET),
    token: clientToken(tokens, `hook ${agent}`, dataDir),
    name: NAMES[agent],
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
  const verdict = await client.request("decide", { tool, arguments: args }, { signal: ended });
  if (!isHookVerdict(verdict)) return denial("lost");
  return verdict.kind === "allowed" ? { allow: true } : denial(verdict.reason);
}

/** The person has not allowed this agent to ask. */
class NotAskedError extends Error {
  override readonly name = "NotAskedError";
  readonly code: Extract<DenialCode, "refused" | "not_asked">;
  constructor(code: NotAskedError["code"]) {
    super(code);
    this.code = code;
  }
}
