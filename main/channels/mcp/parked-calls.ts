import type { ToolResponse } from "../../../app/contract/tool-call.ts";

/** A call whose client was told to come back for the answer. */
export interface ParkedCall {
  readonly ticket: string;
  readonly agent_id: string;
  readonly call_id: string;
  /** Tool, arguments' digest and manifest: an identical call has the same. */
  readonly sameness: string;
  /** Null while the person is asked, or the tool runs. */
  readonly response: ToolResponse | null;
  /** A request waits for the answer, so no other gets it. */
  readonly isClaimed: boolean;
  /** Milliseconds on the trusted clock: parked, then answered. */
  readonly since: number;
}

export type Parked = readonly ParkedCall[];

/** How long an answer waits to be collected. */
export const ANSWER_KEPT_MS = 3_600_000;
/** Answers of one agent that wait; the oldest gives way. */
export const ANSWERS_KEPT = 16;

type NewlyParked = Pick<ParkedCall, "ticket" | "agent_id" | "call_id" | "sameness">;

export const park = (parked: Parked, call: NewlyParked, now: number): Parked => [
  ...parked,
  { ...call, response: null, isClaimed: false, since: now },
];

/** By its ticket, or by an identical call; only the agent's own. */
export type Wanted = { readonly agent_id: string } & (
  | { readonly ticket: string }
  | { readonly sameness: string }
);

/** From now on one request waits for this call; null: there is none that nobody waits for. */
export function claim(parked: Parked, wanted: Wanted): { parked: Parked; call: ParkedCall | null } {
  const isWanted = (call: ParkedCall) =>
    call.agent_id === wanted.agent_id &&
    !call.isClaimed &&
    ("ticket" in wanted ? call.ticket === wanted.ticket : call.sameness === wanted.sameness);
  const call = parked.find(isWanted) ?? null;
  return {
    parked: parked.map((each) => (each === call ? { ...each, isClaimed: true } : each)),
    call,
  };
}

/** The request that claimed it ends: with the answer, which is collected by this, or without. */
export function endClaim(
  parked: Parked,
  ticket: string,
): { parked: Parked; response: ToolResponse | null } {
  const response = parked.find((each) => each.ticket === ticket)?.response ?? null;
  return {
    parked:
      response === null
        ? parked.map((each) => (each.ticket === ticket ? { ...each, isClaimed: false } : each))
        : parked.filter((each) => each.ticket !== ticket),
    response,
  };
}

/** The chain has answered; null: it has put the call off, and there will be no answer. */
export const settle = (
  parked: Parked,
  ticket: string,
  response: ToolResponse | null,
  now: number,
): Parked =>
  response === null
    ? parked.filter((each) => each.ticket !== ticket)
    : parked.map((each) => (each.ticket === ticket ? { ...each, response, since: now } : each));

/** Without answers that are too old or too many; calls that go on stay. */
export function withoutOld(parked: Parked, now: number): Parked {
  const waiting = parked.filter(({ response, isClaimed }) => response !== null && !isClaimed);
  const isTooMany = (call: ParkedCall) =>
    waiting.filter((each) => each.agent_id === call.agent_id && each.since >= call.since).length >
    ANSWERS_KEPT;
  const old = new Set(
    waiting.filter((call) => now - call.since > ANSWER_KEPT_MS || isTooMany(call)),
  );
  return parked.filter((call) => !old.has(call));
}

export const withoutAgent = (parked: Parked, agentId: string): Parked =>
  parked.filter(({ agent_id }) => agent_id !== agentId);
