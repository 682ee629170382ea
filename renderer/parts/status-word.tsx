import type { CardStatus } from "../../app/bridge/conversation-views.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

export function StatusWord({ status }: { readonly status: CardStatus }) {
  const { t } = useTexts();
  return (
    <span className={`status status-${status}`}>
      <span className="status-sign" aria-hidden="true">
        <Icon name={status} />
      </span>
      {t(`status.${status}`)}
    </span>
  );
}
