import type { ReauthRequiredFrame } from "../../app/protocol/v1/frames.ts";
import type { HubDatabase } from "./open-database.ts";

type ReauthPayload = ReauthRequiredFrame["payload"];
/** A notice before it has its number. */
export type NewNotice = Omit<ReauthPayload, "notice_id">;

/** What a person must get even when their client was away, until it says that it has it. */
export interface NoticeStore {
  add(userId: string, notice: NewNotice): ReauthRequiredFrame;
  /** In the order they were added. */
  waiting(userId: string): readonly ReauthRequiredFrame[];
  /** Another's notice, or one that is not there, is left alone. */
  received(userId: string, noticeId: string): void;
}

interface NoticeRow {
  readonly notice_id: string;
  /** The frame as JSON text, without its `notice_id`. */
  readonly frame: string;
}

const TYPE = "h2a.reauth_required";

export function noticeStore(db: HubDatabase): NoticeStore {
  const add = db.prepare<[string, string]>("INSERT INTO notices (user_id, frame) VALUES (?, ?)");
  const waiting = db.prepare<[string], NoticeRow>(
    `SELECT CAST(notice_id AS TEXT) AS notice_id, frame FROM notices
     WHERE user_id = ? ORDER BY notices.notice_id`,
  );
  // Compared as text: an id is opaque to its holder, and "1x" or "01" is not 1.
  const received = db.prepare<[string, string]>(
    "DELETE FROM notices WHERE user_id = ? AND CAST(notice_id AS TEXT) = ?",
  );
  return {
    add(userId, notice) {
      const frame = JSON.stringify({ type: TYPE, payload: notice });
      const { lastInsertRowid } = add.run(userId, frame);
      return numbered(String(lastInsertRowid), notice);
    },
    waiting: (userId) =>
      waiting.all(userId).map(({ notice_id, frame }) => {
        // `add` wrote it.
        const { payload } = JSON.parse(frame) as { readonly payload: NewNotice };
        return numbered(notice_id, payload);
      }),
    received: (userId, noticeId) => void received.run(userId, noticeId),
  };
}

const numbered = (notice_id: string, notice: NewNotice): ReauthRequiredFrame => ({
  type: TYPE,
  payload: { notice_id, ...notice },
});
