import type { ToolResponse } from "../../../app/contract/tool-call.ts";

/** A call whose client was told to come back for the answer, by its ticket: to clients that know tasks, a task. */
export interface ParkedCall {
  readonly ticket: string;
  readonly agent_id: string;
  readonly call_id: string;
  /** Tool, arguments' digest and manifest: an identical call has the same. */
  readonly sameness: string;
  /** Null while the person is asked, or the tool runs. */
  readonly response: ToolResponse | null;
  /** The client has the answer, so that an identical call is a new one. */
  readonly isCollected: boolean;
  /** Milliseconds on the trusted clock. */
  readonly parked_at: number;
  /** When the answer came; until then `parked_at`. */
  readonly settled_at: number;
  /** The answer stays for so many milliseconds after `parked_at`, and never less than `ANSWER_KEPT_MS`. */
  readonly kept_ms: number;
}

export type Parked = readonly ParkedCall[];

/** How long an answer stays after it came. */
export const ANSWER_KEPT_MS = 3_600_000;
/** Of one agent. Of more answers the collected ones give way first, then the oldest. */
export const ANSWERS_KEPT = 32;

type NewlyParked = Omit<ParkedCall, "response" | "isCollected" | "parked_at" | "settled_at">;

export const park = (parked: Parked, call: NewlyParked, now: number): Parked => [
  ...parked,
  { ...call, response: null, isCollected: false, parked_at: now, settled_at: now },
];

/** By its ticket, or as what an identical call waits for; only the agent's own. */
export type Wanted = { readonly agent_id: string } & (
  | { readonly ticket: string }
  | { readonly sameness: string }
);

export function findParked(parked: Parked, wanted: Wanted): ParkedCall | null {
  const isWanted = (call: ParkedCall) =>
    call.agent_id === wanted.agent_id &&
    ("ticket" in wanted
      ? call.ticket === wanted.ticket
      : !call.isCollected && call.sameness === wanted.sameness);
  return parked.find(isWanted) ?? null;
}

/** The client has got the answer. */
export const collected = (parked: Parked, ticket: string): Parked =>
  parked.map((each) => (each.ticket === ticket ? { ...each, isCollected: true } : each));

/** The chain has answered; null: it has put the call off, and there will be no answer. */
export const settle = (
  parked: Parked,
  ticket: string,
  response: ToolResponse | null,
  now: number,
): Parked =>
  response === null
    ? parked.filter((each) => each.ticket !== ticket)
    : parked.map((each) =>
        each.ticket === ticket ? { ...each, response, settled_at: now } : each,
      );

/** Without answers that are too old or too many; calls that go on stay. */
export function withoutOld(parked: Parked, now: number): Parked {
  const answers = parked.filter(({ response }) => response !== null);
  const isOld = ({ parked_at, settled_at, kept_ms }: ParkedCall) =>
    now > Math.max(settled_at + ANSWER_KEPT_MS, parked_at + kept_ms);
  const isTooMany = (call: ParkedCall) =>
    answers.filter((each) => each.agent_id === call.agent_id && staysLonger(each, call)).length >=
    ANSWERS_KEPT;
  const old = new Set(answers.filter((call) => isOld(call) || isTooMany(call)));
  return parked.filter((call) => !old.has(call));
}

const staysLonger = (one: ParkedCall, other: ParkedCall): boolean =>
  one.isCollected === other.isCollected ? one.settled_at > other.settled_at : other.isCollected;

export const withoutAgent = (parked: Parked, agentId: string): Parked =>
  parked.filter(({ agent_id }) => agent_id !== agentId);
