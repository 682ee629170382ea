import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { SafetyNumber } from "./safety-number.tsx";

/**
 * Shown before anything is allowed: how well this agent will be protected. The number to compare is
 * folded, because the hub is this program's own, on this computer: the code above is enough there, and
 * two numbers to compare are one too many.
 */
export function PairingKey({ pairingId }: { readonly pairingId: string }) {
  const { t } = useTexts();
  const { keys } = useSnapshot();
  const key = keys.pairings.find(({ pairing_id }) => pairing_id === pairingId);
  if (key === undefined) return null;
  return (
    <div className="key-facts" data-testid="pairing-key">
      <p className="muted">{t(`keys.level_means.${key.level}`)}</p>
      <Disclosure>
        <Heading level={3} className="key-heading">
          <Button
            slot="trigger"
            className="quiet fold-button key-trigger"
            data-testid="pairing-elsewhere"
          >
            <Icon name="unfold" />
            {t("keys.pairing_elsewhere")}
          </Button>
        </Heading>
        <DisclosurePanel>
          <p>{t("keys.pairing")}</p>
          <SafetyNumber safety={key.safety} />
        </DisclosurePanel>
      </Disclosure>
    </div>
  );
}
