import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import type { BridgeErrorCode, ConsentBridge } from "../../app/bridge/client-bridge.ts";
import type { Answer } from "../../app/contract/consent-request.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useAct, useHost, useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { PauseButton } from "../parts/banners.tsx";
import { isPageKey, keyShortcuts } from "../parts/page-keys.ts";
import { type FolderHelp, useFolderHelp } from "../parts/path-field.tsx";
import { useAnnounced } from "./announcement.ts";
import type { ConsentActions } from "./consent-card.tsx";
import { ConsentList } from "./consent-list.tsx";
import { useCardList } from "./open-request.ts";
import { type ChosenPresence, PresenceButtons } from "./presence.tsx";

const NONE_TURNED_AWAY = { agents: [], others: 0 };

/** Over the page and any dialog, or at the edge if the person types; answers remove cards. */
export function ConsentLayer({ presence, choose }: ChosenPresence) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const waiting = useShown((shown) => shown.consents);
  const connected = useShown((shown) => shown.connection === "connected");
  const { isThere, ...list } = useCardList(waiting);
  const act = useAct();
  const turnedAway = useShown((shown) => shown.snapshot?.turned_away) ?? NONE_TURNED_AWAY;
  const folderHelp = useFolderHelp();
  const actions = useMemo(() => consentActions(bridge, folderHelp), [bridge, folderHelp]);
  const notified = useShown((shown) => shown.snapshot?.settings.notifications === true);
  useAnnounced(waiting, notified);
  const docked = presence === "docked";
  const closing = waiting.length === 0;
  if (presence === "later") return null;
  const cards = (
    <ConsentList
      {...list}
      turnedAway={turnedAway}
      onTurnedAwaySeen={() => void act("turned_away.seen", {})}
      connected={connected}
      actions={actions}
      docked={docked}
      onLater={() => choose("later")}
      buttons={
        <PresenceButtons
          onLater={() => choose("later")}
          onAside={docked ? null : () => choose("docked")}
        />
      }
      // The window behind may be inert; even if an agent asks without end, this must be reachable.
      foot={<PauseButton />}
    />
  );
  if (docked) return !isThere ? null : <DockedCards>{cards}</DockedCards>;
  return (
    <ModalOverlay
      className="consent-layer"
      isOpen={!closing}
      isExiting={closing && isThere}
      isKeyboardDismissDisabled
      // An open dialog keeps the focus inside itself, except for elements with this attribute.
      data-react-aria-top-layer="true"
    >
      <Modal>
        <Dialog aria-label={t("consent.layer")}>{cards}</Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The page offers to take a denial back. */
const undoableIf = (answer: Answer): { undoable?: true } =>
  answer === "deny" ? { undoable: true } : {};

/** Null: the host has it. */
const failureOf = (told: Promise<null>): Promise<BridgeErrorCode | null> =>
  told.catch((error: unknown) => errorCode(error));

/** @param bridge of either window */
export function consentActions(
  bridge: Pick<ConsentBridge, "call">,
  folderHelp: FolderHelp,
): ConsentActions {
  const isTold = async (
    name: "consent.opened" | "consent.reading" | "consent.read",
    request_id: string,
  ): Promise<boolean> => (await failureOf(bridge.call(name, { request_id }))) === null;
  return {
    folderHelp,
    opened: (request_id) => isTold("consent.opened", request_id),
    // Lost, it only costs the person some of their time.
    reading: (request_id) => void isTold("consent.reading", request_id),
    read: (request_id) => isTold("consent.read", request_id),
    // Lost, the answer is refused.
    held: (request_id, held) => void failureOf(bridge.call("consent.held", { request_id, held })),
    answerGroup: (answers) =>
      failureOf(
        bridge.call("consent.answer_group", { answers: [...answers], ...undoableIf("deny") }),
      ),
    denyAndTell: (request_id, message) =>
      failureOf(bridge.call("consent.deny_and_tell", { request_id, message, undoable: true })),
    answerThere: (request_id) => failureOf(bridge.call("consent.answer_there", { request_id })),
    answer: (request_id, answer, root, rule, chosen) =>
      failureOf(
        bridge.call("consent.answer", {
          request_id,
          answer,
          ...undoableIf(answer),
          ...(root === undefined ? {} : { root_path: root.path, root_terms: root.terms }),
          ...(rule === undefined ? {} : { rule }),
          ...(chosen === undefined ? {} : { chosen }),
        }),
      ),
  };
}

/** The cards at the page's edge. The page keeps the keyboard; F6 leads there and back. */
function DockedCards({ children }: { readonly children: ReactNode }) {
  const { t } = useTexts();
  const section = useRef<HTMLElement>(null);
  useWayBack(section);
  return (
    <section
      ref={section}
      className="consent-docked"
      aria-label={t("consent.layer")}
      aria-keyshortcuts={keyShortcuts("requests")}
      data-testid="consent-docked"
      // An open dialog keeps the focus inside itself, except for elements with this attribute.
      data-react-aria-top-layer="true"
    >
      {children}
    </section>
  );
}

function useWayBack(section: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const isInside = (element: Element | null) => section.current?.contains(element) === true;
    let outside = document.activeElement;
    // The page has just become smaller.
    outside?.scrollIntoView({ block: "nearest" });
    const goBack = (): void => {
      if (outside instanceof HTMLElement) outside.focus();
    };
    const focused = (): void => {
      if (!isInside(document.activeElement)) outside = document.activeElement;
    };
    const pressed = (event: KeyboardEvent): void => {
      if (!isPageKey("requests", event)) return;
      event.preventDefault();
      if (isInside(document.activeElement)) goBack();
      else section.current?.querySelector<HTMLElement>("article h2")?.focus();
    };
    document.addEventListener("focusin", focused, { signal });
    document.addEventListener("keydown", pressed, { signal });
    return () => {
      listening.abort();
      // Not if the person has put the keyboard elsewhere meanwhile.
      if (document.activeElement === document.body) goBack();
    };
  }, [section]);
}
