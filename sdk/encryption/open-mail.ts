import { agentKeyFile, agentKeyPath } from "../../runtime/files/agent-files.ts";
import type { KeyJournal } from "../../runtime/files/key-journal.ts";
import { inUseError } from "../../runtime/files/process-lock.ts";
import { AgentError } from "../errors.ts";
import { HubPlaces } from "../hub-places.ts";
import { type AgentOptions, type KeyStore, realClock } from "../options.ts";
import { levelFor, ownIdentity } from "./identity.ts";
import { KeyedMail, type KeyedMailPorts } from "./keyed-mail.ts";
import { PatientHub } from "./members.ts";

/** The events of the mail that concern the agent. */
export type MailListeners = Pick<KeyedMailPorts, "tell" | "sign" | "again">;

/**
 * @param options become where the agent's hub is now
 * @param signal aborted when the agent closes
 * @throws AgentError `keys_unavailable`, `keys_in_use`, `paired_otherwise`
 */
export async function openMail(
  options: AgentOptions,
  listeners: MailListeners,
  signal: AbortSignal,
): Promise<KeyedMail> {
  const { agentId, clock = realClock, keyStore } = options;
  const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
  let file: KeyJournal | undefined;
  try {
    // The program may open its own store again at once, and must not find older keys in it later.
    if (keyStore !== undefined) return await mailWith(keyStore, () => undefined);
    file = await agentKeyFile(agentId, { pause });
    const own = file;
    return await mailWith(own, (settle) => void settle().finally(() => own.close()));
  } catch (error) {
    await file?.close();
    if (error instanceof AgentError) throw error;
    const code = inUseError.is(error) ? "keys_in_use" : "keys_unavailable";
    // The cause may contain a record's name, which does not belong in a program's log.
    throw new AgentError(code, keyStore === undefined ? { path: agentKeyPath(agentId) } : {});
  }

  async function mailWith(
    records: KeyStore,
    released: KeyedMailPorts["released"],
  ): Promise<KeyedMail> {
    const { fetch = globalThis.fetch } = options;
    const places = await HubPlaces.open(records, options);
    const level = levelFor(options);
    const identity = await ownIdentity(records, agentId, level);
    if (identity.card.level !== level) throw new AgentError("paired_otherwise");
    const ports = () => ({ baseUrl: options.baseUrl, token: options.token, fetch, clock });
    const hub = new PatientHub(ports, signal);
    return KeyedMail.open({
      ...listeners,
      released,
      identity,
      level,
      records,
      hub,
      places,
      now: () => clock.now(),
    });
  }
}
