import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import { type Counting, countAll } from "../../app/bridge/count-all.ts";
import type { ActivitySummary } from "../../app/bridge/views.ts";
import type { LogQuery } from "./log-filter.ts";

/** How many calls match. @throws BridgeError, or the signal's reason */
export const countMatching = (
  bridge: ClientBridge,
  query: LogQuery,
  how: Omit<Counting, "step"> = {},
): Promise<ActivitySummary> =>
  countAll({
    step: (before) =>
      bridge.call("activity.summary", {
        ...query,
        ...(before === null ? {} : { before_seq: before }),
      }),
    ...how,
  });
