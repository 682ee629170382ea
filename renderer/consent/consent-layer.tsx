import { useMemo } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import type { RootTerms } from "../../app/bridge/calls.ts";
import type { Answer } from "../../app/contract/consent-request.ts";
import type { GroupAnswer } from "../../app/contract/request-group.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useAct, useHost, useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import type { FolderHelp } from "../parts/folder-field.tsx";
import { PauseButton } from "../parts/pause-button.tsx";
import { useFolderHelp } from "../parts/use-folder-help.ts";
import type { ConsentActions } from "./consent-card.tsx";
import { ConsentList } from "./consent-list.tsx";
import { DockedCards } from "./docked-cards.tsx";
import { PresenceButtons } from "./presence-buttons.tsx";
import type { OfferedRule } from "./rule-offer.tsx";
import { useAnnounced } from "./use-announced.ts";
import { useCardList } from "./use-card-list.ts";
import type { ChosenPresence } from "./use-presence.ts";

const NONE_TURNED_AWAY = { agents: [], others: 0 };

/**
 * Shows the cards over the main window and any open dialog, because the browser host has no second
 * window; at the edge, if the person is typing. Only an answer removes a card; the focus then returns
 * to where it was.
 */
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

/** Calls that both bridges have. */
interface ConsentDoor {
  call(
    name: "consent.opened" | "consent.reading" | "consent.read",
    args: { request_id: string },
  ): Promise<null>;
  call(
    name: "consent.answer",
    args: {
      request_id: string;
      answer: Parameters<ConsentActions["answer"]>[1];
      root_path?: string;
      root_terms?: RootTerms;
      rule?: OfferedRule;
      undoable?: true;
    },
  ): Promise<null>;
  call(
    name: "consent.answer_group",
    args: { request_ids: string[]; answer: GroupAnswer; undoable?: true },
  ): Promise<null>;
  call(
    name: "consent.deny_and_tell",
    args: { request_id: string; message: string; undoable?: true },
  ): Promise<null>;
}

/** The page offers to take a denial back. */
const undoableIf = (answer: Answer): { undoable?: true } =>
  answer === "deny" ? { undoable: true } : {};

const isTold = (
  door: ConsentDoor,
  name: "consent.opened" | "consent.reading" | "consent.read",
  request_id: string,
): Promise<boolean> =>
  door.call(name, { request_id }).then(
    () => true,
    () => false,
  );

export const consentActions = (door: ConsentDoor, folderHelp: FolderHelp): ConsentActions => ({
  folderHelp,
  opened: (request_id) => isTold(door, "consent.opened", request_id),
  // Lost, it only costs the person some of their time.
  reading: (request_id) => void isTold(door, "consent.reading", request_id),
  read: (request_id) => isTold(door, "consent.read", request_id),
  answerGroup: async (request_ids, answer) => {
    try {
      await door.call("consent.answer_group", {
        request_ids: [...request_ids],
        answer,
        ...undoableIf(answer),
      });
      return null;
    } catch (error) {
      return errorCode(error);
    }
  },
  denyAndTell: async (request_id, message) => {
    try {
      await door.call("consent.deny_and_tell", { request_id, message, undoable: true });
      return null;
    } catch (error) {
      return errorCode(error);
    }
  },
  answer: async (request_id, answer, root, rule) => {
    try {
      await door.call("consent.answer", {
        request_id,
        answer,
        ...undoableIf(answer),
        ...(root === undefined ? {} : { root_path: root.path, root_terms: root.terms }),
        ...(rule === undefined ? {} : { rule }),
      });
      return null;
    } catch (error) {
      return errorCode(error);
    }
  },
});
