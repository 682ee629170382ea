import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { SafetyNumber } from "./safety-number.tsx";

/**
 * Shown before anything is allowed: the number to compare, and how well this agent will be
 * protected.
 */
export function PairingKey({ pairingId }: { readonly pairingId: string }) {
  const { t } = useTexts();
  const { keys } = useSnapshot();
  const key = keys.pairings.find(({ pairing_id }) => pairing_id === pairingId);
  if (key === undefined) return null;
  return (
    <div className="key-facts" data-testid="pairing-key">
      <p>{t("keys.pairing")}</p>
      <SafetyNumber safety={key.safety} />
      <p className="muted">{t(`keys.level_means.${key.level}`)}</p>
    </div>
  );
}
