import type { HubDatabase } from "./open-database.ts";

export interface Notice {
  readonly notice_id: number;
  /** A whole frame, as JSON text. */
  readonly frame: string;
}

/** Frames a person must get even when their client was away (`h2a.reauth_required`). */
export interface NoticeStore {
  add(userId: string, frame: string): void;
  waiting(userId: string): readonly Notice[];
  remove(noticeId: number): void;
}

export function noticeStore(db: HubDatabase): NoticeStore {
  const add = db.prepare<[string, string]>("INSERT INTO notices (user_id, frame) VALUES (?, ?)");
  const waiting = db.prepare<[string], Notice>(
    "SELECT notice_id, frame FROM notices WHERE user_id = ? ORDER BY notice_id",
  );
  const remove = db.prepare<[number]>("DELETE FROM notices WHERE notice_id = ?");
  return {
    add: (userId, frame) => void add.run(userId, frame),
    waiting: (userId) => waiting.all(userId),
    remove: (noticeId) => void remove.run(noticeId),
  };
}
