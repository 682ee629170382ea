import { useEffect, useState } from "react";
import { Button, Dialog, Modal, ModalOverlay } from "react-aria-components";
import { addressOf } from "../conversations/open-address.ts";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { isEditable } from "../parts/page-keys.ts";
import { Pairings } from "./pairing.tsx";

export interface PutOff {
  readonly isOpen: boolean;
  readonly setPutOff: (isPutOff: boolean) => void;
}

/** Whether requests to connect are over the page. New ones are, unless the person is typing. */
export function usePairingLayer(): PutOff {
  const { pairings } = useSnapshot();
  const [seen, setSeen] = useState<{ readonly ids: string; readonly isPutOff: boolean }>({
    ids: "",
    isPutOff: false,
  });
  const ids = pairings.map(({ pairing_id }) => pairing_id).join(" ");
  // While rendering: one frame over the page would already take the keyboard.
  if (ids !== seen.ids) {
    const isNew = pairings.some(({ pairing_id }) => !seen.ids.includes(pairing_id));
    const isPutOff = isNew ? isEditable(document.activeElement) : seen.isPutOff;
    setSeen({ ids, isPutOff });
  }
  const setPutOff = (isPutOff: boolean): void => setSeen((before) => ({ ...before, isPutOff }));
  return { isOpen: pairings.length > 0 && !seen.isPutOff, setPutOff };
}

/** Requests to connect, over whatever page is open; Esc, or a press outside, puts them off. */
export function PairingLayer({ isOpen, setPutOff }: PutOff) {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  /** The agents there were when the sample agent was let in: its conversation is opened once it is there. */
  const [before, setBefore] = useState<readonly string[] | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    return () => void setTimeout(focusPage);
  }, [isOpen]);
  useEffect(() => {
    const agent = agents.find(({ agent_id }) => before?.includes(agent_id) === false);
    if (agent?.conversation_id == null) return;
    setBefore(null);
    window.location.hash = addressOf(agent.conversation_id);
  }, [agents, before]);
  return (
    <ModalOverlay
      className="modal-shade"
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => setPutOff(!open)}
      // An open dialog keeps the focus inside itself, except for elements with this attribute.
      data-react-aria-top-layer="true"
    >
      <Modal className="modal">
        <Dialog className="modal-dialog pairing-layer" aria-label={t("pairing.layer")}>
          <Pairings onSample={() => setBefore(agents.map(({ agent_id }) => agent_id))} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** What had the keyboard went with the requests: it stays on the page. */
function focusPage(): void {
  if (document.activeElement === document.body) document.getElementById("content")?.focus();
}

/** Above every page: requests to connect that were put off. */
export function PairingBar({ isOpen, setPutOff }: PutOff) {
  const { t } = useTexts();
  const { pairings } = useSnapshot();
  if (isOpen || pairings.length === 0) return null;
  return (
    <div className="notice waiting-bar" data-testid="pairing-bar">
      <Icon name="waiting" />
      <p role="status">{t("pairing.waiting", { count: pairings.length })}</p>
      <Button className="primary" data-testid="show-pairings" onPress={() => setPutOff(false)}>
        {t("home.show_requests")}
      </Button>
    </div>
  );
}
