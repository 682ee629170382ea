import { useTexts } from "../language.tsx";

export function OnlineState({ online }: { readonly online: boolean }) {
  const { t } = useTexts();
  return (
    <span className="online-state" data-online={online}>
      <span className="dot" aria-hidden="true" />
      {online ? t("agents.online") : t("agents.offline")}
    </span>
  );
}
