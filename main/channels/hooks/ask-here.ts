import type { JsonValue } from "../../../app/contract/json.ts";
import { LocalClientError } from "../local/local-client.ts";
import { denial, type HookDecision, isHookVerdict } from "./hook-answer.ts";
import { type HookPlace, hookConnection, NotAskedError } from "./hook-connection.ts";
import { type HookQuestion, readHookInput } from "./hook-question.ts";
import type { HookReport } from "./hook-report.ts";

export interface AskHereOptions extends HookPlace {
  /** Aborted, as by `AbortSignal.timeout`, when a question without an answer is denied. */
  readonly late: AbortSignal;
}

/** Nobody waits for a report, so an agent is not held up for it. */
const REPORT_MS = 5_000;

/**
 * Asks the program of this data folder what an agent may do. Everything that is not an allowance is a
 * denial; never rejects.
 * @param input what the agent handed its hook
 */
export async function askHere(input: JsonValue, options: AskHereOptions): Promise<HookDecision> {
  const read = readHookInput(options.agent, input);
  if (read.kind !== "question") return denial(read.kind);
  try {
    return await within(options.late, denial("no_answer"), (ended) =>
      ask(read.question, options, ended),
    );
  } catch (error) {
    if (error instanceof NotAskedError || error instanceof LocalClientError) {
      return denial(error.code);
    }
    return denial("internal_error");
  }
}

/** Tells the program what became of a call that it allowed; a report that cannot be given is lost. */
export async function tellHere(
  { question, status, result_digest }: HookReport,
  place: HookPlace,
): Promise<void> {
  const { session, ...about } = question;
  await within(AbortSignal.timeout(REPORT_MS), undefined, async (ended) => {
    const client = await hookConnection(place, session, ended);
    await client.request("report", { ...about, status, result_digest }, { signal: ended });
  }).catch(() => {});
}

async function ask(
  { session, ...about }: HookQuestion,
  options: AskHereOptions,
  ended: AbortSignal,
): Promise<HookDecision> {
  const client = await hookConnection(options, session, ended);
  // Cancelled before the connection ends: else the program could not tell a late one from one that is gone.
  const verdict = await client.request("decide", about, { signal: options.late });
  if (!isHookVerdict(verdict)) return denial("lost");
  return verdict.kind === "allowed" ? { allow: true } : denial(verdict.reason, verdict.message);
}

/** What `work` resolves to, or `otherwise` when it is late; aborts its signal at the end. */
async function within<T>(
  late: AbortSignal,
  otherwise: T,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const limit = Promise.withResolvers<T>();
  late.addEventListener("abort", () => limit.resolve(otherwise), { once: true });
  try {
    return await Promise.race([limit.promise, work(ended.signal)]);
  } finally {
    ended.abort();
  }
}
