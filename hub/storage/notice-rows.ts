import type { ReauthRequiredFrame } from "../../app/protocol/v1/frames.ts";
import type { NewNotice } from "../hub-records.ts";
import type { HubDatabase } from "./open-database.ts";

interface NoticeRow {
  readonly notice_id: string;
  /** The frame as JSON text, without its `notice_id`. */
  readonly frame: string;
}

const TYPE = "h2a.reauth_required";

/** Notices that a person must get even if their client was away, until it confirms them. */
export function noticeRows(db: HubDatabase) {
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
    add(userId: string, notice: NewNotice): ReauthRequiredFrame {
      const frame = JSON.stringify({ type: TYPE, payload: notice });
      const { lastInsertRowid } = add.run(userId, frame);
      return numbered(String(lastInsertRowid), notice);
    },
    waiting: (userId: string): readonly ReauthRequiredFrame[] =>
      waiting.all(userId).map(({ notice_id, frame }) => {
        // `add` wrote it.
        const { payload } = JSON.parse(frame) as { readonly payload: NewNotice };
        return numbered(notice_id, payload);
      }),
    received: (userId: string, noticeId: string): void => void received.run(userId, noticeId),
  };
}

const numbered = (notice_id: string, notice: NewNotice): ReauthRequiredFrame => ({
  type: TYPE,
  payload: { notice_id, ...notice },
});
