/** What identifies a call: its id is unique among one agent's calls only. */
export interface CallName {
  readonly agent_id: string;
  readonly call_id: string;
}

/** One string for one call, for maps. */
export const callKey = ({ agent_id, call_id }: CallName): string =>
  JSON.stringify([agent_id, call_id]);
