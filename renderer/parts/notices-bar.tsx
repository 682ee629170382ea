import { type ReactNode, useEffect, useState } from "react";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { Notice } from "../../app/bridge/views.ts";
import { AcknowledgeRollback } from "../activity/acknowledge-rollback.tsx";
import { addressOf } from "../conversations/open-address.ts";
import { useAct, useHost, useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { TriedFolder, useTriedFolders } from "../permissions/tried-folder.tsx";
import { Icon } from "./icon.tsx";
import { VisibleText } from "./visible-text.tsx";

const NONE: readonly Notice[] = [];
/** How long a text stays for screen readers to read out: as long as React Aria's own announcements. */
const READ_MS = 7_000;
const NO_PLACES: NonNullable<Notice["conversations"]> = [];

/** Shown at once, of notices and of what one lists. */
const SHOWN = 3;

/** What the person must know, above every page, until they dismiss it or its cause is gone. */
export function NoticesBar() {
  const { t } = useTexts();
  const { failure } = useHost();
  const notices = useShown((shown) => shown.snapshot?.notices ?? NONE);
  const tried = useTriedFolders();
  return (
    <section className="notices" aria-label={t("notice.title")}>
      <FirstFew
        testId="notices-more"
        // What cannot wait comes first: the click that just failed, and what stops every call.
        items={[
          ...(failure === null ? [] : [<FailureNotice key="failure" failure={failure} />]),
          ...[...notices]
            .sort((one, other) => Number(isUrgent(other)) - Number(isUrgent(one)))
            .map((notice) => <NoticeLine key={notice.code} notice={notice} />),
          ...tried.map((folder) => (
            <TriedFolder key={`${folder.agent.agent_id} ${folder.path}`} {...folder} />
          )),
        ]}
      />
    </section>
  );
}

const isUrgent = ({ code }: Notice): boolean =>
  code === "store_unwritable" || code === "log_rolled_back";

function FirstFew({ items, testId }: Readonly<{ items: readonly ReactNode[]; testId: string }>) {
  const { t } = useTexts();
  const [all, setAll] = useState(false);
  const more = items.length - SHOWN;
  return (
    <>
      {all ? items : items.slice(0, SHOWN)}
      {more <= 0 ? null : (
        <button
          type="button"
          className="quiet notices-more"
          aria-expanded={all}
          data-testid={testId}
          onClick={() => setAll(!all)}
        >
          {all ? t("notice.fewer") : t("notice.more", { count: more })}
        </button>
      )}
    </>
  );
}

function NoticeLine({ notice }: { readonly notice: Notice }) {
  const { t } = useTexts();
  const act = useAct();
  const { code, params, conversations = NO_PLACES } = notice;
  const words = Object.values(params).filter((value) => value !== "");
  const listed = [
    ...words.map((word) => <VisibleText within="code" key={word} text={word} />),
    ...conversations.map(({ conversation_id, title }) => (
      <a href={addressOf(conversation_id)} key={conversation_id}>
        <VisibleText text={title} />
      </a>
    )),
  ];
  return (
    <div className="notice" role="alert" data-testid="notice" data-code={code}>
      <Icon name="note" />
      <div className="notice-words">
        <span>{t(`notice.${code}`)}</span>
        <FirstFew items={listed} testId="notice-names-more" />
      </div>
      {code === "log_rolled_back" ? (
        <AcknowledgeRollback />
      ) : (
        <button
          type="button"
          className="quiet"
          onClick={() => void act("notices.dismiss", { code })}
        >
          {t("app.dismiss")}
        </button>
      )}
    </div>
  );
}

/** The last click that the host could not carry out. `FailureRead` reads it out. */
function FailureNotice({ failure }: { readonly failure: BridgeErrorCode }) {
  const { t } = useTexts();
  const { setFailure } = useHost();
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
