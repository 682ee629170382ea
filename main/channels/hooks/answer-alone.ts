import type { HookAgent } from "./agent-tools.ts";
import { denial, formOf, type HookForm } from "./hook-answer.ts";
import { hookInput, readHookInput } from "./hook-question.ts";
import { readHookReport } from "./hook-report.ts";

/**
 * What an agent hears where the program was not heard. What a report is about is done: nothing said here can be a
 * no any more.
 * @param code why: see `denial`
 */
export function answerAlone(
  agent: HookAgent,
  form: HookForm,
  bytes: Uint8Array,
  code: string,
): string {
  if (readHookReport(agent, bytes) !== null) return "";
  const { kind } = readHookInput(agent, hookInput(bytes));
  return formOf(agent, form, denial(kind === "question" ? code : kind));
}
