import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { scriptedModel } from "../../agent-host/scripted-model/scripted-model.ts";
import { interleave } from "../interleave.ts";
import { reportOf } from "../report.ts";
import { CHAT_TURNS, counting } from "../subjects/agent-host.ts";
import { startMeasured } from "../subjects/measured-process.ts";
import { Subjects, type SuiteParts, type SuiteResult } from "./suite.ts";

const OURS = "agent host, over HTTP";
const PEER = "the AI SDK's loop alone";

/** A chat through the agent host, compared with its loop alone, with the same scripted model. */
export async function agentHostSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, folder, ending, say } = parts;
  const model = ending.use(await scriptedModel(counting));
  const subjects = new Subjects(ending);
  const data = mkdtempSync(join(folder, "agent-host-"));
  const start = (name: string, kind: "bare" | "host") => {
    const args = [kind, model.url, data];
    return startMeasured({ name, modes: [1, 100], entry: "agent-host-chat.ts", args });
  };
  await subjects.add(start(OURS, "host"));
  await subjects.add(start(PEER, "bare"));
  const measured = await interleave(subjects.all, flags, say);
  return {
    about: `${flags.rounds} rounds of ${flags.calls} chats of ${CHAT_TURNS} turns of the model, after a warm-up`,
    rows: reportOf(measured, { ours: OURS, peer: PEER }),
    comparisons: [],
    notes: [],
  };
}
