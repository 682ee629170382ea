import { errorKind } from "../../../app/contract/coded-error.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";

const MINUTE_MS = 60_000;

export interface EnvelopeReportsPorts {
  readonly scheduler: Scheduler;
  readonly report: (fault: Error) => void;
}

/** Refusals of one agent's envelopes since the first one of the current minute. */
interface Minute {
  told: number;
  more: number;
  readonly cancel: () => void;
}

/**
 * Each refused envelope is a line for whoever runs the program, and an agent can send any number of
 * them. So each agent's are reported individually up to a limit per minute, then by their number. The
 * log has every call anyway (contract §6).
 */
export class EnvelopeReports {
  readonly #ports: EnvelopeReportsPorts;
  readonly #minutes = new Map<string, Minute>();

  constructor(ports: EnvelopeReportsPorts) {
    this.#ports = ports;
  }

  fault(agentId: string, code: string): void {
    const minute = this.#minuteOf(agentId);
    if (minute.told === LIMITS.faultsPerMinute) {
      minute.more += 1;
      return;
    }
    minute.told += 1;
    this.#ports.report(envelopeFault(code));
  }

  /** Reports the number of those that were only counted. */
  close(): void {
    for (const [agentId, { cancel }] of this.#minutes) {
      cancel();
      this.#over(agentId);
    }
  }

  #minuteOf(agentId: string): Minute {
    const begun = this.#minutes.get(agentId);
    if (begun !== undefined) return begun;
    const cancel = this.#ports.scheduler.after(MINUTE_MS, () => this.#over(agentId));
    const minute: Minute = { told: 0, more: 0, cancel };
    this.#minutes.set(agentId, minute);
    return minute;
  }

  #over(agentId: string): void {
    const more = this.#minutes.get(agentId)?.more ?? 0;
    this.#minutes.delete(agentId);
    if (more > 0) this.#ports.report(envelopeFault("more_envelopes", { details: more }));
  }
}

/** For the report: a code and its number. */
export const envelopeFault = errorKind<string, number>("EnvelopeFault");
