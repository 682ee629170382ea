import { useEffect, useState } from "react";
import type { Notice } from "../../app/bridge/views.ts";
import { AcknowledgeRollback } from "../activity/acknowledge-rollback.tsx";
import { addressOf } from "../conversations/open-address.ts";
import { useAct, useHost, useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { TriedFolders } from "../permissions/tried-folder.tsx";
import { Icon } from "./icon.tsx";
import { VisibleText } from "./visible-text.tsx";

const NONE: readonly Notice[] = [];
/** How long a text stays for screen readers to read out: as long as React Aria's own announcements. */
const READ_MS = 7_000;
const NO_PLACES: NonNullable<Notice["conversations"]> = [];

/** What the person must know, above every page, until they dismiss it. */
export function NoticesBar() {
  const { t } = useTexts();
  const act = useAct();
  const notices = useShown((shown) => shown.snapshot?.notices ?? NONE);
  return (
    <section className="notices" aria-label={t("notice.title")}>
      {notices.map((notice) => (
        <div
          className="notice"
          role="alert"
          key={notice.code}
          data-testid="notice"
          data-code={notice.code}
        >
          <Icon name="note" />
          <div>
            <p>{t(`notice.${notice.code}`)}</p>
            <NoticeDetails params={notice.params} />
            <NoticePlaces places={notice.conversations ?? NO_PLACES} />
          </div>
          {notice.code === "log_rolled_back" ? (
            <AcknowledgeRollback />
          ) : (
            <button
              type="button"
              className="quiet"
              onClick={() => void act("notices.dismiss", { code: notice.code })}
            >
              {t("app.dismiss")}
            </button>
          )}
        </div>
      ))}
      <TriedFolders />
      <FailureNotice />
    </section>
  );
}

function NoticeDetails({ params }: { readonly params: Notice["params"] }) {
  const values = Object.values(params).filter((value) => value !== "");
  if (values.length === 0) return null;
  return (
    <ul className="notice-details">
      {values.map((value) => (
        <li key={value}>
          <VisibleText text={value} />
        </li>
      ))}
    </ul>
  );
}

function NoticePlaces({ places }: { readonly places: NonNullable<Notice["conversations"]> }) {
  if (places.length === 0) return null;
  return (
    <ul className="notice-places">
      {places.map(({ conversation_id, title }) => (
        <li key={conversation_id}>
          <a href={addressOf(conversation_id)}>
            <VisibleText text={title} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The last click that the host could not carry out. `FailureRead` reads it out. */
function FailureNotice() {
  const { t } = useTexts();
  const { failure, setFailure } = useHost();
  if (failure === null) return null;
  return (
    <div className="notice notice-failure" data-testid="failure" data-code={failure}>
      <Icon name="high" />
      <p>{t(`bridge_error.${failure}`)}</p>
      <button type="button" className="quiet" onClick={() => setFailure(null)}>
        {t("app.dismiss")}
      </button>
    </div>
  );
}

/** For screen readers, from which a dialog hides the notice itself. */
export function FailureRead() {
  const { t } = useTexts();
  const { failure } = useHost();
  return (
    <p className="unseen" role="alert" data-react-aria-top-layer="true">
      {failure === null ? null : <ReadOnce key={failure} text={t(`bridge_error.${failure}`)} />}
    </p>
  );
}

/** Removed once it was read out: a screen reader that goes through the page would find the text twice. */
function ReadOnce({ text }: { readonly text: string }) {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), READ_MS);
    return () => clearTimeout(timer);
  }, []);
  return isRead ? null : text;
}
