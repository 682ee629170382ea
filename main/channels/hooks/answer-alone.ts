import type { HookAgent } from "./agent-tools.ts";
import { denial, formOf, type HookForm } from "./hook-answer.ts";
import { hookInput, readHookInput } from "./hook-question.ts";
import { readHookReport, sessionThatWentOn } from "./hook-report.ts";

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
  if (sessionThatWentOn(bytes) !== null || readHookReport(agent, bytes) !== null) return "";
  const read = readHookInput(agent, hookInput(bytes));
  if (read.kind !== "question")
    return formOf(agent, form, { ...denial(read.kind), event: "before" });
  const { event } = read.question;
  // Its own dialog is there without us.
  const hasDialog = event === "permission" && form === "hook";
  const decision = hasDialog ? ({ allow: null } as const) : denial(code);
  return formOf(agent, form, { ...decision, event });
}
