import type { ActivityRow } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";

const SIGNS: Readonly<Record<ActivityRow["status"], string>> = {
  running: "…",
  ok: "✓",
  denied: "–",
  error: "!",
};

export function StatusWord({ status }: { readonly status: ActivityRow["status"] }) {
  const { t } = useTexts();
  return (
    <span className={`status status-${status}`}>
      <span className="status-sign" aria-hidden="true">
        {SIGNS[status]}
      </span>
      {t(`status.${status}`)}
    </span>
  );
}
