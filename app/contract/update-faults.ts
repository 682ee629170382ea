/**
 * Why an update was not fetched. `unsigned`: the list of versions has no signature of the project's.
 * `older`: it is an older list than one seen before. `damaged`: the package is not the one in the list.
 */
const UPDATE_FAULTS = ["unreachable", "unsigned", "older", "damaged"] as const;
export type UpdateFault = (typeof UPDATE_FAULTS)[number];
