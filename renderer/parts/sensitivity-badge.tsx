import type { Sensitivity } from "../../app/contract/sensitivity.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

/** Icon, word and colour together, so that none of them is the only sign. */
export function SensitivityBadge({ level }: { readonly level: Sensitivity }) {
  const { t } = useTexts();
  return (
    <span className={`badge badge-${level}`} title={t(`sensitivity.${level}_means`)}>
      <Icon name={level} />
      {t(`sensitivity.${level}`)}
    </span>
  );
}
