import type { ConsentDesk } from "../../app/consent/consent-desk.ts";
import type { Withdrawal } from "../../app/consent/verdict.ts";
import type { ConsentPort } from "../../app/execution/ports.ts";

interface Asking {
  readonly desk: ConsentDesk;
  readonly timeoutMs: () => number;
  /** Why a request is not shown at all: what was still being examined must not wait on. */
  readonly unasked: (request: {
    readonly agent_id: string;
    readonly call_id: string;
  }) => Withdrawal | null;
}

/** The person, as the chain asks them. */
export const consentPort = ({ desk, timeoutMs, unasked }: Asking): ConsentPort => ({
  reserve(agentId) {
    const place = desk.reserve(agentId);
    return (
      place && {
        ...place,
        async ask(request) {
          const why = unasked(request);
          return why === null ? place.ask(request) : { kind: "withdrawn", why };
        },
      }
    );
  },
  reconsider: (covered) => desk.reconsider(covered),
  timeoutMs,
});
