import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Fold } from "../parts/fold.tsx";
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
      <Fold title={t("keys.pairing_elsewhere")} level={3} testId="pairing-elsewhere">
        <p>{t("keys.pairing")}</p>
        <SafetyNumber safety={key.safety} />
      </Fold>
    </div>
  );
}
