import { agentKeyFile } from "../../crypto/agent-key-file.ts";
import { KeyJournal } from "../../crypto/key-journal.ts";
import { AgentError } from "../agent-error.ts";
import type { AgentOptions } from "../agent-options.ts";
import { realClock } from "../clock.ts";
import { KeyedMail, type KeyedMailPorts } from "./keyed-mail.ts";
import { PatientHub } from "./rest-directory.ts";

/** What of the mail's happenings concerns the agent. */
export type MailEars = Pick<KeyedMailPorts, "tell" | "sign" | "again">;

/**
 * @param signal aborted when the agent closes
 * @throws AgentError `keys_unavailable`
 */
export async function openMail(
  options: AgentOptions,
  ears: MailEars,
  signal: AbortSignal,
): Promise<KeyedMail> {
  const { agentId, token, baseUrl, fetch = globalThis.fetch, clock = realClock } = options;
  try {
    const records = options.keyStore ?? (await agentKeyFile(agentId));
    return await KeyedMail.open({
      ...ears,
      released: () => {
        if (records !== options.keyStore && records instanceof KeyJournal) void records.close();
      },
      agentId,
      level: options.connectionMode === "webhook" ? "sealed" : "ratchet",
      records,
      hub: new PatientHub({ baseUrl, fetch, clock }, token, signal),
      now: () => clock.now(),
    });
  } catch {
    // A path or a record's name in the cause would say more than a program's log should.
    throw new AgentError("keys_unavailable");
  }
}
