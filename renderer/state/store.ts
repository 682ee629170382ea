import { createStore, type StoreApi } from "zustand/vanilla";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { ConsentCard, HeldDenialView } from "../../app/bridge/consent-views.ts";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import type { ConversationShown } from "../../app/bridge/events.ts";
import type { ActivityRow, Snapshot } from "../../app/bridge/views.ts";
import type { Connection } from "../bridge/web-bridge.ts";

/** A card, and when it was received by `performance.now()`: its time is counted from there. */
export interface ReceivedCard {
  readonly card: ConsentCard;
  readonly received_at: number;
}

export interface ReceivedDenial {
  readonly denial: HeldDenialView;
  readonly received_at: number;
}

/** Everything that the screens show. It permits nothing: it is only what the host last reported. */
export interface Shown {
  readonly connection: Connection;
  readonly snapshot: Snapshot | null;
  /** In the order they arrived. */
  readonly consents: readonly ReceivedCard[];
  /** In the order the requests arrived. */
  readonly denials: readonly ReceivedDenial[];
  /** The newest lines of the log, newest first; null until they were received. */
  readonly recent: readonly ActivityRow[] | null;
  /** The person's conversations, newest first; null until they were received. */
  readonly conversations: readonly ConversationView[] | null;
  /** Why the last read failed; null: it succeeded or is in progress. */
  readonly failures: Readonly<Record<ReadPart, BridgeErrorCode | null>>;
  /** Where a clicked notification leads, until the page has gone there. */
  readonly conversation: ConversationShown | null;
}

/** What is read in addition to the snapshot. */
export type ReadPart = "recent" | "conversations";

export type ShownStore = StoreApi<Shown>;

export const RECENT_ROWS = 8;

export const createShownStore = (connection: Connection): ShownStore =>
  createStore<Shown>(() => ({
    connection,
    snapshot: null,
    consents: [],
    denials: [],
    recent: null,
    conversations: null,
    failures: { recent: null, conversations: null },
    conversation: null,
  }));

export const received = (
  cards: readonly ConsentCard[],
  received_at: number,
): readonly ReceivedCard[] => cards.map((card) => ({ card, received_at }));

export const receivedDenials = (
  denials: readonly HeldDenialView[],
  received_at: number,
): readonly ReceivedDenial[] => denials.map((denial) => ({ denial, received_at }));

export const withSnapshot = (snapshot: Snapshot, now: number): Partial<Shown> => ({
  snapshot,
  consents: received(snapshot.consents, now),
  denials: receivedDenials(snapshot.denials, now),
});

/** Events before the first snapshot are ignored: the snapshot will include them. */
export const withPart =
  (part: Partial<Snapshot>) =>
  (shown: Shown): Partial<Shown> =>
    shown.snapshot === null ? {} : { snapshot: { ...shown.snapshot, ...part } };

/** @param rows newest first */
export const withRecent =
  (rows: readonly ActivityRow[]) =>
  ({ recent }: Shown): Partial<Shown> => ({
    recent: rows
      .reduceRight((drawn, row) => withRow(drawn, row), recent ?? [])
      .slice(0, RECENT_ROWS),
  });

export const withFailure =
  (part: ReadPart, code: BridgeErrorCode | null) =>
  ({ failures }: Shown): Partial<Shown> => ({ failures: { ...failures, [part]: code } });

const isSameLine = (one: ActivityRow, other: ActivityRow): boolean => one.line_id === other.line_id;

/** Inserts `row` into rows sorted newest first; a finished call replaces its own line. */
export function withRow(rows: readonly ActivityRow[], row: ActivityRow): readonly ActivityRow[] {
  const known = rows.find((each) => isSameLine(each, row));
  if (known !== undefined && known.seq > row.seq) return rows;
  const others = rows.filter((each) => each !== known);
  const at = others.findIndex((each) => each.seq < row.seq);
  return at === -1 ? [...others, row] : [...others.slice(0, at), row, ...others.slice(at)];
}
