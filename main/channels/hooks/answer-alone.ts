import { existsSync } from "node:fs";
import { denial, formOf, type HookForm } from "./hook-answer.ts";
import { type HookPlace, ownRulesFile } from "./hook-place.ts";
import { hookInput, readHookInput } from "./hook-question.ts";
import { readHookReport, sessionThatWentOn } from "./hook-report.ts";

/**
 * What an agent hears where the program was not heard. What a report is about is done: nothing said here can be a
 * no any more.
 * @param code why: see `denial`
 */
export function answerAlone(
  place: HookPlace,
  form: HookForm,
  bytes: Uint8Array,
  code: string,
): string {
  const { agent } = place;
  if (sessionThatWentOn(bytes) !== null || readHookReport(agent, bytes) !== null) return "";
  const read = readHookInput(agent, hookInput(bytes));
  if (read.kind !== "question")
    return formOf(agent, form, { ...denial(read.kind), event: "before" });
  const { event } = read.question;
  // Its own rules and its dialog are there without us.
  const isGone = code === "unreachable" || code === "lost";
  const isTheirs = event === "permission" || (isGone && existsSync(ownRulesFile(place)));
  const decision = isTheirs && form === "hook" ? ({ allow: null } as const) : denial(code);
  return formOf(agent, form, { ...decision, event });
}
