import { Button } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";

interface PresenceButtonsProps {
  readonly onLater: () => void;
  /** Null: the cards are at the side already, or in a window that the person can move. */
  readonly onAside: (() => void) | null;
}

/** For whoever wants to see first what is behind the cards. Neither answers anything. */
export function PresenceButtons({ onLater, onAside }: PresenceButtonsProps) {
  const { t } = useTexts();
  return (
    <div className="presence-buttons">
      {onAside === null ? null : (
        <Button
          className="quiet"
          aria-label={t("consent.aside")}
          data-testid="consent-aside"
          onPress={onAside}
        >
          <Icon name="aside" />
        </Button>
      )}
      <Button className="quiet" data-testid="consent-later" onPress={onLater}>
        {t("consent.later")}
      </Button>
    </div>
  );
}
