import { useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

export function DisconnectedBanner() {
  const { t } = useTexts();
  const gone = useShown((shown) => shown.connection === "disconnected");
  return (
    // Announced and visible even beside a dialog.
    <div role="status" data-react-aria-top-layer="true">
      {gone ? (
        <p className="disconnected" data-testid="disconnected-banner">
          <Icon name="unplugged" />
          {t("connection.disconnected")} {t("connection.reconnecting")}
        </p>
      ) : null}
    </div>
  );
}
