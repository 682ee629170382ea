import type { ReactNode } from "react";
import { Button, Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";

interface SidePanelProps {
  readonly title: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly testId: string;
  readonly children: ReactNode;
}

/** A dialog beside the page. Closing it returns the focus to where it was opened. */
export function SidePanel({ title, isOpen, onClose, testId, children }: SidePanelProps) {
  const { t } = useTexts();
  return (
    <ModalOverlay
      className="side-shade"
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className="side-panel">
        <Dialog className="side-dialog" data-testid={testId}>
          <div className="section-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button className="quiet" data-testid={`${testId}-close`} onPress={onClose}>
              <Icon name="close" />
              {t("app.close")}
            </Button>
          </div>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
