import { pageAddress } from "../page/page-address.ts";
import { fragmentOf } from "./filter-fragment.ts";
import { NO_FILTER } from "./log-filter.ts";

export const callAddress = (agent_id: string, call_id: string): string =>
  pageAddress("activity", fragmentOf({ ...NO_FILTER, agent_id, find: call_id }));
