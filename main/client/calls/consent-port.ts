import type { ConsentDesk } from "../../../app/consent/consent-desk.ts";
import type { Withdrawal } from "../../../app/consent/verdict.ts";
import type { ConsentPort } from "../../../app/execution/ports.ts";
import type { AnnouncedRequests } from "./announced-requests.ts";
import type { MissedRequests } from "./missed-requests.ts";
import type { RecalledCalls } from "./recalled-calls.ts";

interface Asking {
  readonly desk: ConsentDesk;
  readonly missed: Pick<MissedRequests, "heed">;
  readonly recalled: Pick<RecalledCalls, "asked">;
  readonly announced: Pick<AnnouncedRequests, "asked" | "over">;
  /** Why a request is not shown at all: what was still being examined must not wait on. */
  readonly unasked: (request: {
    readonly agent_id: string;
    readonly call_id: string;
  }) => Withdrawal | null;
}

/** The person, as the chain asks them. */
export const consentPort = ({
  desk,
  missed,
  recalled,
  announced,
  unasked,
}: Asking): ConsentPort => ({
  reserve(agentId) {
    const place = desk.reserve(agentId);
    return (
      place && {
        ...place,
        async ask(request) {
          const why = unasked(request);
          if (why !== null) return { kind: "withdrawn", why };
          announced.asked(request);
          const decided = place.ask(request).then((verdict) => {
            announced.over(request);
            recalled.asked(request);
            return verdict;
          });
          return missed.heed(request, decided);
        },
      }
    );
  },
  reconsider: (covered) => desk.reconsider(covered),
});
