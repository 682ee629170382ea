import { countAll } from "../../../app/bridge/count-all.ts";
import type { ActivitySummary } from "../../../app/bridge/views.ts";
import type { Store } from "../store.ts";

type Filter = Parameters<Store["activity"]["summary"]>[0];

/** Counts everything that the filter selects, as the page does. */
export const countLog = (store: Store, filter: Filter): Promise<ActivitySummary> =>
  countAll({
    step: (before) => store.activity.summary({ ...filter, before_seq: before }),
  });
